import { DAY_MS } from "@restwell/client/time-units"
import { type Database, mergeSamples, openDatabase, openPool } from "@restwell/core"
import type { Kysely } from "kysely"
import { compare } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf, type SentRequest } from "../measuring/requests.ts"
import { milliseconds, openTable } from "../measuring/table.ts"
import { type Bench, COPIED_DAYS } from "../targets/bench.ts"
import { withClient } from "../targets/database.ts"
import type { BenchPerson } from "../targets/people.ts"

const STATUS = 200
/** Ten years with a value for each five minutes: more than a million samples. */
const DAYS = 3_650
const SAMPLES_A_DAY = 288
const MONTH_DAYS = 30
const NIGHTS = 7
const STEP_MS = DAY_MS / SAMPLES_A_DAY
/** Questions of a kind, which differ by a date each: more than a round of a benchmark asks. */
const QUESTIONS = 2_000
const MONTHS_STORED = 5

export interface SeriesReads {
  /** Of a million samples with their indexes, on disk. */
  readonly megabytes: number
  readonly storeMonthSeconds: number
  /** Median of a day's raw values, as a multiple of a read of 7 nights. */
  readonly rawDay: number
  readonly yearByHourMs: number
  readonly tenYearsByDayMs: number
  /** Median of 7 nights of people with samples, as a multiple of that of people without. */
  readonly besideSamples: number
}

const dayBefore = (days: number): Temporal.PlainDate => Temporal.Now.plainDateISO("UTC").subtract({ days })

/** Values within the day: their size, how long a month takes to store, and cold reads with one client. The bench's people get samples. */
export async function seriesReads({ service, postgres, person, people }: Bench): Promise<SeriesReads> {
  const pool = openPool({ ...service.database, max: 2 }, () => {})
  const database = openDatabase(pool)
  const others = people.slice(0, people.length / 2)
  try {
    const megabytes = await fill(service.database, database, person)
    const storeMonthSeconds = await storeMonths(database, people.slice(-MONTHS_STORED))
    await copySamples(service.database, person, others)
    const row = openTable(`Values within the day, ${postgres} PostgreSQL`, ["what", "figure", "unit"])
    row(["a million samples with their indexes", megabytes.toFixed(1), "MB"])
    row([`a month of heart rates (${MONTH_DAYS * SAMPLES_A_DAY}), stored`, storeMonthSeconds.toFixed(2), "s"])
    const port = service.port
    const nights = await besideOthers(port, others, people.slice(people.length / 2, -MONTHS_STORED))
    return { megabytes, storeMonthSeconds, ...nights, ...(await longReads(port, person)) }
  } finally {
    await pool.end()
  }
}

/** Heart rates that change little from one to the next, as devices deliver them. */
function samplesOf(days: number, endedDaysAgo = 0) {
  let value = 60
  const endMs = Date.parse(`${dayBefore(endedDaysAgo)}`)
  return Array.from({ length: days * SAMPLES_A_DAY }, (_, index) => {
    value = Math.min(Math.max(value + ((index * 7_919) % 11) - 5, 42), 180)
    return { atMs: endMs - days * DAY_MS + index * STEP_MS + ((index * 31) % 40) * 1000, value }
  })
}

const write = (database: Kysely<Database>, userId: string, samples: ReturnType<typeof samplesOf>) =>
  database
    .transaction()
    .execute((transaction) =>
      mergeSamples(transaction, { userId, provider: "whoop" }, [{ type: "heart_rate", samples }]),
    )

const SIZE = "select pg_total_relation_size('restwell.series_day')::int as size"

/** Stores ten years. Returns the megabytes of a million samples. */
async function fill(config: Bench["service"]["database"], database: Kysely<Database>, { userId }: BenchPerson) {
  const sizeOf = () => withClient(config, async (client) => Number((await client.query(SIZE)).rows[0]?.size))
  const before = await sizeOf()
  const year = 365
  for (let ago = 0; ago < DAYS; ago += year) await write(database, userId, samplesOf(year, ago))
  return ((await sizeOf()) - before) / (DAYS * SAMPLES_A_DAY)
}

async function storeMonths(database: Kysely<Database>, people: readonly BenchPerson[]): Promise<number> {
  const times: number[] = []
  for (const { userId } of people) {
    const startedAt = performance.now()
    await write(database, userId, samplesOf(MONTH_DAYS))
    times.push(performance.now() - startedAt)
  }
  return Math.max(...times) / 1000
}

/** Gives people the newest samples of one person. */
const copySamples = (config: Bench["service"]["database"], { userId }: BenchPerson, people: readonly BenchPerson[]) =>
  withClient(config, async (client) => {
    await client.query(
      `insert into restwell.series_day (user_id, type, provider, day, count, samples)
       select id, type, provider, day, count, samples from restwell.series_day, unnest($1::text[]) id
       where user_id = $2 and day > current_date - $3::int`,
      [people.map((one) => one.userId), userId, COPIED_DAYS],
    )
    await client.query("vacuum (analyze)")
  })

const series = (key: string, search: string): SentRequest => ({
  path: `/api/v1/series?type=heart_rate&${search}`,
  headers: { authorization: `Bearer ${key}` },
})

/** A day's raw values beside 7 nights, of people with samples and of people without. */
async function besideOthers(port: number, people: readonly BenchPerson[], without: readonly BenchPerson[]) {
  const asked = (of: readonly BenchPerson[], ask: (key: string, end: Temporal.PlainDate) => SentRequest) =>
    Array.from({ length: COPIED_DAYS - NIGHTS }, (_, daysAgo) =>
      of.map(({ key }) => bytesOf(ask(key, dayBefore(daysAgo + 1)))),
    ).flat()
  const nights = (key: string, end: Temporal.PlainDate) =>
    readOf(key, `type=sleep&start_date=${end.subtract({ days: NIGHTS - 1 })}&end_date=${end}`)
  const day = (key: string, date: Temporal.PlainDate) =>
    series(key, `start_date=${date}&end_date=${date}&resolution=raw`)
  const load = (requests: readonly Buffer[]) => ({ port, connections: 1, status: STATUS, next: inTurn(requests) })
  const measured = await compare({
    without: load(asked(without, nights)),
    nights: load(asked(people, nights)),
    raw: load(asked(people, day)),
  })
  const row = openTable("Cold reads, one connection", [
    "read",
    "req/s",
    "p50 ms",
    "p99 ms",
    "of nights",
    "p99 of nights'",
  ])
  row(["7 nights", ...comparedTo(measured.nights, measured.nights)])
  row(["7 nights of people without samples", ...comparedTo(measured.nights, measured.without)])
  row([`**a day's ${SAMPLES_A_DAY} values, raw**`, ...comparedTo(measured.nights, measured.raw)])
  return {
    rawDay: measured.raw.p50Ms / measured.nights.p50Ms,
    besideSamples: measured.nights.p50Ms / measured.without.p50Ms,
  }
}

/** A year by the hour, and ten years by the day. The dates move by a day at a time, so that no question repeats. */
async function longReads(port: number, { key }: BenchPerson) {
  const questions = (ask: (index: number) => string) =>
    inTurn(Array.from({ length: QUESTIONS }, (_, index) => bytesOf(series(key, ask(index)))))
  const load = (next: () => Buffer) => ({ port, connections: 1, status: STATUS, next })
  const year = load(
    questions((index) => `start_date=${dayBefore(index + 365)}&end_date=${dayBefore(index + 1)}&resolution=1h`),
  )
  const tenYears = load(
    questions(
      (index) =>
        `start_date=${dayBefore(DAYS - (index % 100))}&end_date=${dayBefore(Math.floor(index / 100))}&resolution=1d`,
    ),
  )
  const measured = await compare({ year, tenYears })
  const row = openTable("Long cold reads, one connection", ["read", "p50 ms", "p99 ms"])
  row(["a year by the hour", milliseconds(measured.year.p50Ms), milliseconds(measured.year.p99Ms)])
  row(["ten years by the day", milliseconds(measured.tenYears.p50Ms), milliseconds(measured.tenYears.p99Ms)])
  return { yearByHourMs: measured.year.p50Ms, tenYearsByDayMs: measured.tenYears.p50Ms }
}
