import { type UseQueryResult, useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { ServiceFailure } from "../api/send.ts"
import { sentence, waitText } from "../format/number.ts"
import { Button } from "./button.tsx"

type Tone = "info" | "good" | "fair" | "poor"

const TONES: Readonly<Record<Tone, string>> = {
  info: "border-accent/30 bg-accent-soft",
  good: "border-good/30 bg-good-soft",
  fair: "border-fair/40 bg-fair-soft",
  poor: "border-poor/40 bg-poor-soft",
}

/** A message on the page. Screen readers read an error at once, and other tones at the next pause. */
export const Notice = ({
  tone = "info",
  title,
  children,
  action,
}: {
  tone?: Tone
  title?: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <div
    role={tone === "poor" ? "alert" : "status"}
    className={`flex flex-wrap items-center justify-between gap-3 rounded-xl border px-4 py-3 text-sm ${TONES[tone]}`}
  >
    <div className="min-w-0 flex-1 basis-64">
      {title !== undefined && <p className="font-medium">{title}</p>}
      {children !== undefined && <div className={title === undefined ? "" : "mt-0.5 text-muted"}>{children}</div>}
    </div>
    {action}
  </div>
)

/** The service's error message, with a button to try again. */
export const FailureNotice = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <Notice
    tone="poor"
    title={sentence(error.message)}
    {...(onRetry && { action: <Button onClick={onRetry}>Try again</Button> })}
  >
    {error instanceof ServiceFailure && error.retryAfterSeconds !== undefined && (
      <p>Try again in {waitText(error.retryAfterSeconds)}.</p>
    )}
  </Notice>
)

/** Placeholder for content that is loading, in its size, so that the page does not jump. */
export const Skeleton = ({ className = "h-24", label = "Loading" }: { className?: string; label?: string }) => (
  <div role="status" aria-label={label} className={`animate-pulse rounded-2xl bg-raised ${className}`} />
)

interface RefreshingProps {
  /** Whether the content answers an earlier question, and the new answer is on its way. */
  readonly isStale: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** Content that stays until the new one is there. A line above it says so, because paler text would be hard to read. */
export const Refreshing = ({ isStale, className = "", children }: RefreshingProps) => (
  <div aria-busy={isStale} className={`relative ${className}`}>
    {isStale && (
      <div className="absolute inset-x-4 -top-2.5 h-0.5 animate-[appear_200ms_200ms_backwards] overflow-hidden rounded-full bg-line print:hidden">
        <div className="h-full w-1/3 animate-[slide_1.4s_ease-in-out_infinite] rounded-full bg-accent" />
      </div>
    )}
    {children}
  </div>
)

/** The content for a query: a skeleton while it loads, an error with a retry, or its data. An error of a later refetch is above the data. */
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
  const queries = useQueryClient()
  // What failed for one reason is tried again with one button.
  const retryFailed = () =>
    queries.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" })
  const failure = query.isError && <FailureNotice error={query.error} onRetry={retryFailed} />
  if (query.data === undefined) return frame(failure || skeleton)
  // The content keeps its place, and with it what was typed in it and what it shows only once.
  return (
    <>
      {failure && <div className="mb-4">{failure}</div>}
      {children(query.data)}
    </>
  )
}
