// What should be sent, computed minute by minute from the nights alone, without any code of the product.
import { DAYS, type MadeNight, type MadePerson, MINUTE_MS } from "./people.ts"

const HOUR = 60
const DAY = 24 * HOUR

/** A notice: what it is about, its date, and the minute in which it is sent. */
export type Sent = readonly [subject: string, date: string, at: string]

export const LIMIT = 50
const USUAL = 30

const local = (ms: number, offset: number): string => new Date(ms + offset * MINUTE_MS).toISOString()
const dateOf = (ms: number, offset: number): string => local(ms, offset).slice(0, 10)
const clockOf = (ms: number, offset: number): string => local(ms, offset).slice(11, 16)

const isQuiet = (clock: string, quiet: MadePerson["quiet"]): boolean => {
  if (!quiet) return false
  const { start, end } = quiet
  return start < end ? clock >= start && clock < end : clock >= start || clock < end
}

/** Whether the resting heart rate of a night is far above usual, of the nights that were scored at a time. */
function isFar(known: readonly MadeNight[], night: MadeNight): boolean {
  const before = known.filter(({ date }) => date < night.date).slice(-USUAL)
  const values = before.map(({ restingHeartRate }) => restingHeartRate)
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  return night.restingHeartRate - mean > 2 * Math.max(sd, 1)
}

/** Whether it is the first morning in a row. */
function isFirstFar(known: readonly MadeNight[], night: MadeNight): boolean {
  const yesterday = new Date(Date.parse(`${night.date}T00:00:00Z`) - DAY * MINUTE_MS).toISOString().slice(0, 10)
  const before = known.find(({ date }) => date === yesterday)
  return isFar(known, night) && !(before && isFar(known, before))
}

/** @param beganMs when the person chose to be told */
export function expectedOf(person: MadePerson, beganMs: number): Sent[] {
  const sent: Sent[] = []
  const seen = new Map<string, MadeNight>()
  const done = { rules: new Set<string>(), briefing: new Set<string>(), missing: new Set<string>() }
  const all = [...person.history, ...person.nights]
  for (let ms = beganMs + MINUTE_MS; ms <= beganMs + DAYS * DAY * MINUTE_MS; ms += MINUTE_MS) {
    const arrived = all.filter((night) => night.arrivesMs <= ms)
    const offset = arrived.at(-1)?.utcOffsetMinutes ?? 0
    const scored = arrived.filter((night) => night.scoredMs <= ms)
    for (const night of scored)
      if (night.scoredMs === ms && person.nights.includes(night) && ms - night.endMs <= DAY * MINUTE_MS)
        seen.set(night.date, night)
    const [clock, at] = [clockOf(ms, offset), new Date(ms).toISOString()]
    if (isQuiet(clock, person.quiet)) continue
    for (const [date, night] of seen) {
      if (!done.rules.has(date)) {
        done.rules.add(date)
        if (night.hrv < LIMIT) sent.push(["low", date, at])
        if (isFirstFar(scored, night)) sent.push(["pulse", date, at])
      }
      // Of an earliest hour in quiet hours, their end counts. Before it there may be a midnight.
      const isOver = isQuiet(person.earliest, person.quiet) && dateOf(ms, offset) > dateOf(night.scoredMs, offset)
      if (!done.briefing.has(date) && (clock >= person.earliest || isOver)) {
        done.briefing.add(date)
        // A day after waking it is no news any more, whatever it waited for.
        if (ms - night.endMs <= DAY * MINUTE_MS) sent.push(["briefing", date, at])
      }
    }
    for (const date of [dateOf(ms - DAY * MINUTE_MS, offset), dateOf(ms, offset)]) {
      const asked = Date.parse(`${date}T${person.missingAt}:00Z`) - offset * MINUTE_MS
      const night = arrived.find((each) => each.date === date)
      const isThere = night !== undefined && clockOf(night.endMs, night.utcOffsetMinutes) <= person.missingAt
      if (isThere || done.missing.has(date) || asked <= beganMs || asked > ms || ms - asked > DAY * MINUTE_MS) continue
      done.missing.add(date)
      sent.push(["none", date, at])
    }
  }
  return sent.toSorted(byText)
}

export const byText = (one: Sent, other: Sent): number => (one.join() < other.join() ? -1 : 1)
