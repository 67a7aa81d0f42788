import type { UseQueryResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { FailureNotice } from "./failure-notice.tsx"

/** The content for a query: a skeleton while it loads, an error with a retry, or its data. */
export function Loaded<Data>({
  query,
  skeleton,
  frame = (content) => content,
  children,
}: {
  query: UseQueryResult<Data>
  skeleton: ReactNode
  /** Wraps the skeleton and the error, for a page whose title depends on the data. */
  frame?: (content: ReactNode) => ReactNode
  children: (data: Data) => ReactNode
}) {
  if (query.isPending) return frame(skeleton)
  if (query.isError) return frame(<FailureNotice error={query.error} onRetry={() => query.refetch()} />)
  return children(query.data)
}
