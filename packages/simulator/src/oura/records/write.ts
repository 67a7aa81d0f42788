/** How Oura writes times, days and versions. */
import { offsetMinutes } from "../../model/calendar.ts"
import { MINUTE_MS } from "../../model/units.ts"
import type { Meta } from "./wire.ts"

/** ISO 8601 with the local offset. Oura writes it with milliseconds, and sometimes without. */
export function writeLocal(zone: string, instantMs: number, hasMilliseconds = true): string {
  const minutes = offsetMinutes(zone, instantMs)
  const wall = new Date(instantMs + minutes * MINUTE_MS).toISOString().slice(0, hasMilliseconds ? 23 : 19)
  const two = (value: number) => String(value).padStart(2, "0")
  const sign = minutes < 0 ? "-" : "+"
  return `${wall}${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** YYYY-MM-DD of a day number. */
export const writeDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

export const writeMeta = (updatedMs: number, version = 1): Meta => ({
  updated_at: new Date(updatedMs).toISOString(),
  version,
})
