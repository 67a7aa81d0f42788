// Instants as programs on phones write them.

interface PushedInstant {
  /** Epoch milliseconds. */
  readonly ms: number
  /** Minutes east of UTC. Undefined for Z, which tells no local clock. */
  readonly utcOffsetMinutes?: number
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)[T ]/
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?([AaPp])?\.?(?:[Mm]\.?)? ?(Z|[+-]\d\d:?(?:\d\d)?)$/
const MINUTE_MS = 60_000
/** Kiritimati and Baker Island. */
const [MOST_EAST, MOST_WEST] = [14 * 60, -12 * 60]

/**
 * Returns the instant of a text such as `2026-11-21T03:10:00+01:00`, `2026-11-21 03:10:00 +0100` or `2026-11-21 3:10:00 AM +0100`, whatever
 * kind of space it has. Undefined for a text without an offset, or for a time that no clock shows.
 */
export function pushedInstant(text: string): PushedInstant | undefined {
  const plain = text.normalize("NFKC").trim()
  const date = DATE.exec(plain)
  const clock = date && CLOCK.exec(plain.slice(date[0].length))
  if (!date || !clock) return undefined
  const [, year, month, day] = date
  const [, hours, minutes, seconds = "0", fraction = "0", half, zone = ""] = clock
  const hour = hourOf(Number(hours), half)
  const utcOffset = offsetOf(zone)
  if (hour === undefined || utcOffset === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), hour, Number(minutes), Number(seconds))
  // The 31st of a shorter month is no date.
  if (new Date(local).getUTCDate() !== Number(day)) return undefined
  const ms = local + Math.floor(Number(`0.${fraction}`) * 1_000) - utcOffset * MINUTE_MS
  return { ms, ...(zone !== "Z" && { utcOffsetMinutes: utcOffset }) }
}

/** 12 AM is midnight, and 12 PM is noon. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0)
}

function offsetOf(zone: string): number | undefined {
  if (zone === "Z") return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(":", "") || "0")
  const offset = zone.startsWith("-") ? -minutes : minutes
  return offset <= MOST_EAST && offset >= MOST_WEST ? offset : undefined
}
