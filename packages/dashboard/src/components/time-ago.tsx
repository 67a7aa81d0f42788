import { instantText, timeAgo } from "../format/date.ts"
import { useNow } from "../format/use-now.ts"

/** "4 minutes ago", with the exact time as a tooltip. Without an instant: "never". */
export function TimeAgo({ instant }: { instant: string | null }) {
  const now = useNow()
  if (instant === null) return "never"
  return (
    <time dateTime={instant} title={instantText(instant)}>
      {timeAgo(instant, now)}
    </time>
  )
}
