import type { ReactNode } from "react"
import { ServiceFailure } from "../api/send.ts"
import { FailureNotice } from "../components/failure-notice.tsx"
import { waitText } from "../format/sentence.ts"

/** What came of "Sync now". A second press within the minute is no failure. */
export function SyncOutcome({ error, isRequested }: { error: Error | null; isRequested: boolean }) {
  if (error instanceof ServiceFailure && error.code === "rate_limited")
    return (
      <Text>
        The last sync was requested less than a minute ago. You can sync again in{" "}
        {waitText(error.retryAfterSeconds ?? 60)}.
      </Text>
    )
  if (error) return <FailureNotice error={error} />
  return isRequested ? <Text>Sync requested. New data appears here automatically.</Text> : null
}

const Text = ({ children }: { children: ReactNode }) => (
  <p role="status" className="text-sm text-muted">
    {children}
  </p>
)
