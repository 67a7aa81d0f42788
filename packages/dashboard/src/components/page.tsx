import { ChevronRight } from "lucide-react"
import { type ReactNode, useEffect, useId, useRef } from "react"
import { useSearch } from "wouter"

/** A page of the dashboard. Sets the title of the tab, and focuses the heading after navigation for screen readers. */
export function Page({
  title,
  shortTitle,
  subtitle,
  lead,
  actions,
  children,
}: {
  title: string
  /** The title on a phone. @default the title */
  shortTitle?: string
  subtitle?: ReactNode
  /** What the page says, in large type below a smaller title. */
  lead?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Restwell`
  }, [title])
  const search = useSearch()
  useEffect(() => {
    const place = { path: window.location.pathname, search }
    const before = current
    current = place
    if (before === undefined) return
    if (place.path !== before.path) {
      heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
      // A link that led here and is gone took the focus with it.
    } else if (place.search !== before.search && document.activeElement === document.body) heading.current?.focus()
  }, [search])
  return (
    <>
      <header
        className={`flex justify-between gap-3 ${lead === undefined ? "mb-5 flex-wrap items-end" : "mb-3 items-start"}`}
      >
        <div className="min-w-0">
          <h1
            ref={heading}
            tabIndex={-1}
            className={`font-semibold tracking-tight outline-none ${lead === undefined ? "text-2xl" : "text-lg"}`}
          >
            {shortTitle === undefined ? title : <OnPhone short={shortTitle}>{title}</OnPhone>}
          </h1>
          {subtitle !== undefined && <div className="mt-0.5 text-sm text-muted">{subtitle}</div>}
        </div>
        {actions !== undefined && (
          <div
            className={`flex items-center gap-2 print:hidden ${lead === undefined ? "flex-wrap max-sm:has-[[role=group]]:w-full" : "shrink-0"}`}
          >
            {actions}
          </div>
        )}
      </header>
      {lead !== undefined && <div className="mb-5">{lead}</div>}
      <div className="flex flex-col gap-4 print:gap-3">{children}</div>
    </>
  )
}

/** Text with a shorter form where there is no room. Screen readers have the whole one everywhere. */
export const OnPhone = ({ short, children }: { short: string; children: string }) => (
  <>
    <span aria-hidden="true" className="sm:hidden">
      {short}
    </span>
    <span className="max-sm:sr-only">{children}</span>
  </>
)

/** The address of the current page. The first page of a visit and a remount of the same page do not move the focus. */
let current: { readonly path: string; readonly search: string } | undefined

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
    <section
      aria-labelledby={id}
      className="min-w-0 break-inside-avoid rounded-2xl border border-line bg-surface p-4 sm:p-6 print:rounded-lg print:p-3"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <h2 id={id} className="font-semibold wrap-anywhere">
            {title}
          </h2>
          {description !== undefined && (
            <div className="mt-0.5 max-w-prose text-sm wrap-anywhere text-muted">{description}</div>
          )}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children !== undefined && <div className="mt-4 print:mt-2">{children}</div>}
    </section>
  )
}

interface DisclosureProps {
  readonly summary: ReactNode
  /** Of the whole. */
  readonly className?: string
  /** Of the line that opens the rest: colour, weight and padding. */
  readonly summaryClass?: string
  /** Whether it is open at first. @default false */
  readonly isOpen?: boolean
  readonly onToggle?: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** A line with a chevron that opens to more. Every line that opens looks like this. */
export const Disclosure = ({
  summary,
  className = "",
  summaryClass = "text-muted hover:text-text",
  isOpen = false,
  onToggle,
  children,
}: DisclosureProps) => (
  <details
    className={`group text-sm ${className}`}
    open={isOpen}
    onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
  >
    <summary
      className={`flex min-h-9 cursor-pointer list-none items-center gap-1.5 rounded-md py-1.5 max-sm:min-h-11 ${summaryClass}`}
    >
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 transition-transform group-open:rotate-90" />
      {summary}
    </summary>
    {children}
  </details>
)

/** A grid of named values. */
export const Facts = ({ className, children }: { className: string; children: ReactNode }) => (
  <dl className={`grid gap-x-4 gap-y-3 text-sm ${className}`}>{children}</dl>
)

export const Fact = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div className="relative">
    <dt className="text-muted">{label}</dt>
    <dd className="font-medium tabular-nums">{children}</dd>
  </div>
)
