import { type ReactNode, useId } from "react"

/** A titled section of a page. */
export function Panel({
  title,
  description,
  actions,
  children,
}: {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-2xl border border-line bg-surface p-4 sm:p-6">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h2 id={id} className="font-semibold">
            {title}
          </h2>
          {description !== undefined && <div className="mt-0.5 max-w-prose text-sm text-muted">{description}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children !== undefined && <div className="mt-4">{children}</div>}
    </section>
  )
}
