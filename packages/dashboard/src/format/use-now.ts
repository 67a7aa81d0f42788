import { useEffect, useState } from "react"

const TICK_MS = 30_000

/** The time of the reader's machine, milliseconds since 1970, anew every half minute: for "4 minutes ago" alone. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
