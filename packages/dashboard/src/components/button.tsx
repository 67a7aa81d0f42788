import type { ButtonHTMLAttributes, ReactNode } from "react"
import { Link } from "wouter"

type Look = "primary" | "secondary" | "danger" | "quiet"

const BASE =
  "inline-flex min-h-9 max-sm:min-h-11 items-center justify-center gap-2 rounded-lg px-3.5 py-1.5 text-sm font-medium whitespace-nowrap transition-colors print:hidden"

const LOOKS: Readonly<Record<Look, string>> = {
  primary: "bg-text text-canvas hover:bg-text/85 disabled:bg-raised disabled:text-muted",
  secondary: "border border-line bg-surface text-text hover:bg-raised disabled:text-muted",
  danger: "bg-poor text-on-accent hover:bg-poor/85 disabled:bg-raised disabled:text-muted",
  quiet: "text-muted hover:bg-raised hover:text-text",
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  /** Its action is running: the button is disabled and shows a spinner. */
  readonly isBusy?: boolean
}

export function Button({ look = "secondary", isBusy = false, className = "", children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy}
      className={`${BASE} ${LOOKS[look]} ${className}`}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}

/** A link to a page of the dashboard that looks like a button. */
export const ButtonLink = ({ to, look = "secondary", children }: { to: string; look?: Look; children: ReactNode }) => (
  <Link href={to} className={`${BASE} ${LOOKS[look]}`}>
    {children}
  </Link>
)

/** A link to another site, or a download, that looks like a button. */
export const ExternalButtonLink = ({
  href,
  look = "secondary",
  children,
  download,
}: {
  href: string
  look?: Look
  children: ReactNode
  /** True, or the name of the file. */
  download?: boolean | string
}) => (
  <a href={href} download={download} className={`${BASE} ${LOOKS[look]}`}>
    {children}
  </a>
)

const Spinner = () => (
  <span
    aria-hidden="true"
    className="size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent opacity-70"
  />
)
