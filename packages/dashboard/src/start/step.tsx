import { Check } from "lucide-react"
import type { ReactNode } from "react"

/** One step of the first run. */
export const Step = ({
  number,
  title,
  isDone,
  children,
}: {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}) => (
  <li className="flex gap-4 rounded-2xl border border-line bg-surface p-4 sm:p-6">
    <span
      aria-hidden="true"
      className={`flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold ${
        isDone ? "bg-good-soft text-good" : "bg-raised text-text"
      }`}
    >
      {isDone ? <Check size={16} /> : number}
    </span>
    <div className="min-w-0 flex-1">
      <h2 className="font-semibold">
        {title}
        {isDone && <span className="sr-only">, done</span>}
      </h2>
      <div className="mt-2 flex flex-col gap-3 text-sm text-muted">{children}</div>
    </div>
  </li>
)
