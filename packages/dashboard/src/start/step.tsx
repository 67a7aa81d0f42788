import { Check } from "lucide-react"
import { type ReactNode, useEffect, useRef } from "react"

interface StepProps {
  readonly number: number
  readonly title: string
  readonly isDone: boolean
  /** Whether the person comes back to it from the vendor: its heading takes the focus. @default false */
  readonly isReturnedTo?: boolean
  readonly children: ReactNode
}

/** One step of the first run. The whole width of a phone is the step's. */
export function Step({ number, title, isDone, isReturnedTo = false, children }: StepProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isReturnedTo) heading.current?.focus()
  }, [isReturnedTo])
  return (
    <li className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-3 rounded-2xl border border-line bg-surface p-4 sm:p-6">
      <span
        aria-hidden="true"
        className={`flex size-8 items-center justify-center rounded-full text-sm font-semibold ${
          isDone ? "bg-good-soft text-good" : "bg-raised text-text"
        }`}
      >
        {isDone ? <Check size={16} /> : number}
      </span>
      <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
        {title}
        {isDone && <span className="sr-only">, done</span>}
      </h2>
      <div className="col-span-2 flex min-w-0 flex-col gap-3 text-sm text-muted sm:col-span-1 sm:col-start-2">
        {children}
      </div>
    </li>
  )
}
