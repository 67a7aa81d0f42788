import { useEffect, useState } from "react"

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
