import { useEffect, useState } from "react"
import { useInstantText } from "../api/preferences.ts"
import { timeAgo } from "../format/date.ts"

const TICK_MS = 30_000

/** The local time, milliseconds since 1970, updated every half minute. Only for texts such as "4 minutes ago". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** "4 minutes ago", with the exact time as a tooltip. Without an instant: "never". */
export function TimeAgo({ instant }: { instant: string | null }) {
  const now = useNow()
  const instantText = useInstantText()
  if (instant === null) return "never"
  return (
    <time dateTime={instant} title={instantText(instant)}>
      {timeAgo(instant, now)}
    </time>
  )
}

/** "Nov 20, 2026, 07:02" in the reader's zone and with the preferred clock. */
export const Instant = ({ at }: { at: string }) => <time dateTime={at}>{useInstantText()(at)}</time>
