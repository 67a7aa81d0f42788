/* Queries of all kinds, and the service's answers to them. */

import type { World } from "@restwell/testing/world"
import fc from "fast-check"
import { expect } from "vitest"
import type { OracleQuery } from "./days.ts"
import { HISTORY_DAYS, type Member } from "./members.ts"

export const TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"] as const

function dateAt(now: Date, days: number): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO("UTC")
    .toPlainDate()
    .add({ days })
    .toString()
}

/** All types, with days, two dates, one date, and invalid ranges. */
export function anyQuery(now: Date, furthestDaysAgo = HISTORY_DAYS + 40): fc.Arbitrary<OracleQuery> {
  const type = fc.constantFrom(...TYPES)
  const days = fc.integer({ min: 1, max: 90 })
  const offset = fc.oneof(fc.integer({ min: -furthestDaysAgo, max: 20 }), fc.integer({ min: -12, max: 3 }))
  const date = offset.map((offsetDays) => dateAt(now, offsetDays))
  const pair = fc
    .record({ offset, length: fc.integer({ min: -1, max: 93 }) })
    .map(({ offset: last, length }) => ({ start_date: dateAt(now, last - length), end_date: dateAt(now, last) }))
  return fc.oneof(
    fc.record({ type, days }, { requiredKeys: ["type"] }),
    { arbitrary: fc.tuple(type, pair).map(([one, dates]) => ({ type: one, ...dates })), weight: 2 },
    fc.record({ type, days, end_date: date }, { requiredKeys: ["type", "end_date"] }),
    fc.record({ type, days, start_date: date }, { requiredKeys: ["type", "start_date"] }),
    fc.record({ type, days, start_date: date, end_date: date }, { requiredKeys: ["type"] }),
  )
}

/** The answers to a person, as bytes. Null if the range of dates is refused. Checks that equal entity tags mean equal bytes. */
export class Answers {
  readonly #world: World
  readonly #bytes = new Map<string, string>()
  /** How often a known entity tag was seen again. */
  repeated = 0

  constructor(world: World) {
    this.#world = world
  }

  async bytes({ userId }: Member, query: OracleQuery): Promise<string | null> {
    const request = { credential: { userId }, query, ifNoneMatch: [], isCounted: true }
    const reading = await this.#world.reader.read(request)
    if (reading.outcome === "refused") {
      expect(reading.error).toMatchObject({ code: "invalid_request" })
      return null
    }
    if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
    const { bytes: sent, etag } = reading.response
    const bytes = sent.toString()
    const before = this.#bytes.get(userId + etag)
    if (before !== undefined) this.repeated += 1
    expect(before ?? bytes).toBe(bytes)
    this.#bytes.set(userId + etag, bytes)
    return bytes
  }

  /** The same without `source` and `sources`, which must name WHOOP, with status ok and `syncedAt`. */
  async body(member: Member, query: OracleQuery, syncedAt: Date): Promise<object | null> {
    const bytes = await this.bytes(member, query)
    if (bytes === null) return null
    const { source, sources, ...body } = JSON.parse(bytes)
    expect(source).toEqual({ provider: "whoop", status: "ok", last_synced_at: syncedAt.toISOString() })
    expect(sources).toEqual([source])
    return body
  }
}
