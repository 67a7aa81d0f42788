/** Variations of WHOOP's responses that have no meaning: null or absent, `Z` or `+00:00`. */
import { offsetMinutes } from "../../model/calendar.ts"
import { type Random, randomFor } from "../../model/random.ts"

/** The variation of one record, the same in all its versions. */
export interface Dialect {
  /** Returns `{ name: null }` or `{}`. */
  absent<Name extends string>(name: Name): { [key in Name]?: null }
  offset(zone: string, instantMs: number): string
}

export function dialectFor(...keys: readonly (string | number)[]): Dialect {
  const random = randomFor(...keys, "dialect")
  return {
    absent: absentAs(random),
    offset: (zone, instantMs) => writeOffset(offsetMinutes(zone, instantMs), random.chance(0.5)),
  }
}

function absentAs(random: Random): Dialect["absent"] {
  const asNull = random.chance(0.5)
  return <Name extends string>(name: Name) => {
    const written: { [key in Name]?: null } = {}
    if (asNull) written[name] = null
    return written
  }
}

/** Returns WHOOP's time zone designator: `Z`, `+hh:mm` or `-hh:mm`. */
export function writeOffset(minutes: number, zuluForZero = true): string {
  if (minutes === 0 && zuluForZero) return "Z"
  const sign = minutes < 0 ? "-" : "+"
  const two = (value: number) => String(value).padStart(2, "0")
  return `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

/** Records from before September 2025 have the whole number that was their id in version 1 of the API. */
const LAST_LEGACY_MS = Date.UTC(2025, 8, 1)

/** Returns the version 1 id of a sleep or workout: a number for old records, null or absent for others. */
export function legacyId(dialect: Dialect, uuid: string, createdMs: number): { v1_id?: number | null } {
  return createdMs < LAST_LEGACY_MS ? { v1_id: Number.parseInt(uuid.slice(0, 8), 16) } : dialect.absent("v1_id")
}

/** ISO 8601 in UTC with milliseconds. */
export function writeInstant(instantMs: number): string {
  return new Date(instantMs).toISOString()
}
