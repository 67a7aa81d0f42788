import { type Resolution, SeriesResponseSchema, type SeriesType } from "@restwell/client"
import { mergeSamples } from "@restwell/core"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { expect } from "vitest"
import { type ExpectedQuery, expectedBuckets, expectedRaw } from "./expected.ts"
import { type PlainPerson, PROVIDERS_OF_PEOPLE, personOf } from "./people.ts"

const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  )

/** The days around both changes of clocks of the north and of the south in 2026. */
export const AROUND_CHANGES = [
  "2026-03-06",
  "2026-03-27",
  "2026-04-03",
  "2026-10-02",
  "2026-10-23",
  "2026-10-30",
].flatMap((first) => datesFrom(first, 5))
export const WHOLE_YEAR = datesFrom("2026-01-01", 320)

const BUCKETS = ["1m", "5m", "15m", "1h", "1d"] as const
const TYPES: readonly SeriesType[] = ["heart_rate", "hrv", "steps"]

/** Stores a person as a vendor's sync and an upload would, out of order and in part twice. */
async function store(service: TestService, userId: string, person: PlainPerson): Promise<void> {
  const { pool } = service.store
  for (const provider of PROVIDERS_OF_PEOPLE)
    await pool.query(
      `insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, last_synced_at, history_complete)
       values ($1, $2, 'ok', now(), now(), 'infinity', now(), true)`,
      [userId, provider],
    )
  await pool.query("insert into restwell.source_order (user_id, type, providers) select $1, unnest($2::text[]), $3", [
    userId,
    ["recovery", "cycle", "sleep"],
    person.order,
  ])
  for (const { at, offset } of person.nights)
    await pool.query(
      `insert into restwell.record (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state,
         vendor_updated_at, detail, candidate, raw)
       values ($1, 'oura', 'sleep', $2, $3, to_timestamp($4), to_timestamp($5), $6, 'scored', now(), '{}',
         json_build_object('kind', 'sleep', 'isNap', false, 'scoreState', 'scored', 'startMs', $4 * 1000::bigint, 'endMs', $5 * 1000::bigint), '{}')`,
      [userId, `${at}`, new Date((at + offset * 60) * 1000).toISOString().slice(0, 10), at - 8 * 3_600, at, offset],
    )
  const groups = Map.groupBy(person.samples, ({ provider, type, method }) => `${provider} ${type} ${method ?? ""}`)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const { provider, type, method } = first
    const samples = group.toReversed().map(({ at, value, duration, offset }) => ({
      atMs: at * 1000,
      value,
      ...(duration > 0 && { durationMs: duration * 1000 }),
      ...(offset !== null && { utcOffsetMinutes: offset }),
    }))
    for (const part of [samples.slice(0, samples.length / 2), samples])
      await service.store.database
        .transaction()
        .execute((transaction) =>
          mergeSamples(transaction, { userId, provider }, [{ type, samples: part, ...(method && { method }) }]),
        )
  }
}

async function read(member: Member, search: string): Promise<unknown> {
  const response = await member.send("GET", `/api/account/series?${search}`)
  const body: unknown = await response.json()
  expect([search, response.status, response.status === 200 ? "" : body]).toEqual([search, 200, ""])
  return body
}

/** Half of the last decimal that is shown, and what adding in another order changes. */
const CLOSE = { mean: 0.05 + 1e-6, sum: 0.005 + 1e-6 }

/** An answer with more is refused. */
const MOST_POINTS = 20_000

async function compareBuckets(
  member: Member,
  person: PlainPerson,
  query: ExpectedQuery,
  resolution: Exclude<Resolution, "raw">,
): Promise<string[]> {
  const expected = expectedBuckets(person, query, resolution)
  if (expected.length > MOST_POINTS) return []
  const { type, from, to, source } = query
  const search = new URLSearchParams({ type, start_date: from, end_date: to, resolution, ...(source && { source }) })
  const body = SeriesResponseSchema.parse(await read(member, `${search}`))
  const actual = "points" in body ? body.points : []
  const faults = actual.length === expected.length ? [] : [`${actual.length} buckets, not ${expected.length}`]
  for (const [index, point] of actual.entries()) {
    const wanted = expected[index]
    if (!wanted || !("start" in point)) continue
    const isRate = "mean" in point
    const isEqual =
      (resolution === "1d" ? point.date === wanted.date : point.start === wanted.start) &&
      point.n === wanted.n &&
      (isRate
        ? Math.abs(point.mean - wanted.sum / wanted.weight) <= CLOSE.mean &&
          point.min === wanted.min &&
          point.max === wanted.max
        : Math.abs(point.sum - wanted.sum) <= CLOSE.sum)
    if (!isEqual) faults.push(`${JSON.stringify(point)}, not ${JSON.stringify(wanted)}`)
  }
  return faults.map((fault) => `${person.zone} ${search}: ${fault}`)
}

async function compareRaw(member: Member, person: PlainPerson, query: ExpectedQuery): Promise<string[]> {
  const expected = expectedRaw(person, query)
  if (expected.length > MOST_POINTS) return []
  const { type, from, to, source } = query
  const search = new URLSearchParams({
    type,
    start_date: from,
    end_date: to,
    resolution: "raw",
    ...(source && { source }),
  })
  const body = SeriesResponseSchema.parse(await read(member, `${search}`))
  const actual =
    "points" in body
      ? body.points.map((point) => ("time" in point ? { time: point.time, value: point.value } : null))
      : []
  return JSON.stringify(actual) === JSON.stringify(expected)
    ? []
    : [`${person.zone} ${search}: ${actual.length} values, not ${expected.length}`]
}

/** Where answers to random people differ from what is computed independently. @param dates on which samples begin */
export async function compareSeries(people: number, dates: readonly string[]): Promise<string[]> {
  const service = await startTestService()
  try {
    const faults: string[] = []
    for (let seed = 1; seed <= people; seed += 1) {
      const member = new Member(service)
      await member.signUp()
      const { rows } = await service.store.pool.query('select id from restwell."user" where email = $1', [member.email])
      const person = personOf(seed, dates)
      await store(service, String(rows[0]?.id), person)
      for (const type of TYPES) {
        const middle = Math.floor((dates.length * ((seed * 7) % 10)) / 10)
        const ranges = [
          [dates[0], dates.at(-1)],
          [dates[middle], dates[middle + 2] ?? dates.at(-1)],
        ]
        for (const [from = "", to = ""] of ranges)
          for (const source of [undefined, "oura"]) {
            const query = { type, from, to, source }
            for (const resolution of BUCKETS) faults.push(...(await compareBuckets(member, person, query, resolution)))
            faults.push(...(await compareRaw(member, person, query)))
          }
      }
    }
    return faults
  } finally {
    await service.close()
  }
}
