import type { ReactNode } from "react"
import { Link } from "wouter"

/** A link to another sign-in page, below the form. */
export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <p className="text-center text-sm text-muted">
    <Link href={href} className="font-medium text-accent underline underline-offset-2">
      {children}
    </Link>
  </p>
)
