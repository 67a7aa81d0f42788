import type { RuleRequest } from "@restwell/client"
import { usePreview } from "../api/notifications.ts"
import { FailureNotice, Skeleton } from "../components/notice.tsx"
import { previewText } from "./rule-text.ts"

/** What a rule would have sent, so that the person knows how often it speaks before it does. */
export function RulePreview({ rule }: { rule: RuleRequest }) {
  const { data, error, refetch } = usePreview(rule)
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-6" label="Looking at the last 90 days" />
  return (
    <p role="status" className="text-sm text-muted">
      {previewText(data)}
    </p>
  )
}
