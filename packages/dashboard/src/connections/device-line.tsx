import { type ReactNode, useEffect, useId, useRef, useState } from "react"
import { Disclosure } from "../components/page.tsx"

interface DeviceLineProps {
  /** Its place in the page's address: a link to it opens it. */
  readonly id: string
  readonly name: string
  /** At the end of the line. */
  readonly state: ReactNode
  /** @default false */
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** A line of a list of devices or ways. What is behind it is made when it is first opened. */
export function DeviceLine({ id, name, state, isOpen = false, children }: DeviceLineProps) {
  const [isLinkedTo] = useState(() => window.location.hash === `#${id}`)
  // Later only the person opens and closes it: nothing moves by itself.
  const [isOpenAtFirst] = useState(isOpen || isLinkedTo)
  const [wasOpened, setWasOpened] = useState(isOpenAtFirst)
  const line = useRef<HTMLElement>(null)
  const heading = useId()
  useEffect(() => {
    if (isLinkedTo) line.current?.scrollIntoView()
  }, [isLinkedTo])
  return (
    <section ref={line} aria-labelledby={heading} className="scroll-mt-4">
      <Disclosure
        isOpen={isOpenAtFirst}
        onToggle={(opened) => opened && setWasOpened(true)}
        summaryClass="min-h-14 px-4 hover:bg-raised sm:px-6"
        summary={
          <>
            <h3 id={heading} className="min-w-0 flex-1 text-base font-medium break-words">
              {name}
            </h3>
            <span className="text-sm text-muted">{state}</span>
          </>
        }
      >
        {wasOpened && <div className="flex flex-col gap-4 px-4 pt-2 pb-5 sm:px-6">{children}</div>}
      </Disclosure>
    </section>
  )
}

/** Device lines below a heading. */
export function DeviceList({
  title,
  description,
  children,
}: {
  title: string
  description: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="overflow-hidden rounded-2xl border border-line bg-surface">
      <header className="border-b border-line p-4 sm:px-6">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        <p className="mt-0.5 max-w-prose text-sm text-muted">{description}</p>
      </header>
      <div className="divide-y divide-line">{children}</div>
    </section>
  )
}
