import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { Skeleton } from "../components/skeleton.tsx"

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
          Open it again from the e-mail or message, or copy all of it.
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
