import type { UseQueryResult } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { Link } from "wouter"
import { FailureNotice, Notice, Skeleton } from "../components/notice.tsx"
import { Logo } from "../components/shell.tsx"

/** Frame of the sign-in and sign-up pages. */
export function SignInLayout({ title, subtitle, children }: { title: string; subtitle: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Restwell`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <Logo />
      <div>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        <p className="text-sm text-muted">{subtitle}</p>
      </div>
      {children}
      <p className="text-center text-xs text-muted">
        Self-hosted and read-only.{" "}
        <a href="/docs/" className="underline underline-offset-2 hover:text-text">
          Manual
        </a>
      </p>
    </main>
  )
}

/** A link to another sign-in page, below the form. */
export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <p className="text-center text-sm text-muted">
    <Link href={href} className="font-medium text-accent underline underline-offset-2">
      {children}
    </Link>
  </p>
)

/** The content of a page that a link opens, or why the link does not work. */
export function LinkContent<Data>({
  token,
  query,
  help,
  children,
}: {
  token: string
  query: UseQueryResult<Data>
  /** What to do without a valid link. */
  help: ReactNode
  children: (data: Data) => ReactNode
}) {
  if (token === "")
    return (
      <>
        <Notice tone="fair" title="The link is not complete.">
          Open it again from the email or message, or copy all of it.
        </Notice>
        {help}
      </>
    )
  if (query.isPending) return <Skeleton className="h-48" label="Checking the link" />
  if (query.isError)
    return (
      <>
        <FailureNotice error={query.error} />
        {help}
      </>
    )
  return children(query.data)
}
