import { type ReactNode, useEffect, useRef } from "react"

/** A page of the dashboard. Sets the title of the tab, and focuses the heading after navigation for screen readers. */
export function Page({
  title,
  subtitle,
  actions,
  children,
}: {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Restwell`
  }, [title])
  useEffect(() => {
    const path = window.location.pathname
    if (path === currentPath) return
    if (currentPath !== undefined) {
      heading.current?.focus({ preventScroll: true })
      window.scrollTo(0, 0)
    }
    currentPath = path
  }, [])
  return (
    <>
      <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none">
            {title}
          </h1>
          {subtitle !== undefined && <div className="mt-0.5 text-sm text-muted">{subtitle}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className="flex flex-col gap-4">{children}</div>
    </>
  )
}

/** Path of the current page. The first page of a visit and a remount of the same page do not move the focus. */
let currentPath: string | undefined
