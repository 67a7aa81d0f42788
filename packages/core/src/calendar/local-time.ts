const MINUTE_MS = 60_000

/** The offset as ISO 8601 writes it: `+01:00`, and `+00:00` for UTC. */
function offsetText(utcOffsetMinutes: number): string {
  const distance = Math.abs(utcOffsetMinutes)
  const hours = String(Math.floor(distance / 60)).padStart(2, "0")
  return `${utcOffsetMinutes < 0 ? "-" : "+"}${hours}:${String(distance % 60).padStart(2, "0")}`
}

/**
 * An instant on the clock of an offset, to the second: `2026-11-21T22:23:08+01:00`. Arithmetic, because every record of an answer has two
 * of them and Temporal takes many times as long.
 * @param instantMs milliseconds since the epoch
 */
export function localTime(instantMs: number, utcOffsetMinutes: number): string {
  const clock = new Date(instantMs + utcOffsetMinutes * MINUTE_MS).toISOString().slice(0, 19)
  return clock + offsetText(utcOffsetMinutes)
}
