import { compare } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn } from "../measuring/load.ts"
import { bytesOf, readOf, type SentRequest } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import { type Bench, ninetyNights } from "../targets/bench.ts"

const STATUS = 200
/** Ten years. */
const DAYS = 3_650
/** Questions of a kind, which differ by a date each: more than a round of a benchmark asks. */
const QUESTIONS = 2_000

type Ask = (start: Temporal.PlainDate) => string

const COLD: Readonly<Record<string, Ask>> = {
  "trend of hrv": (start) => `trend?metric=hrv&start_date=${start}`,
  "trend of bedtime": (start) => `trend?metric=bedtime&start_date=${start}`,
  compare: (start) => {
    const middle = start.add({ days: DAYS / 2 })
    return `compare?metric=asleep&start_date=${middle}&with_start_date=${start}&with_end_date=${middle.subtract({ days: 1 })}`
  },
  "relate, one factor": (start) => `relate?outcome=hrv&factor=strain&lag=1&start_date=${start}`,
  "relate, all factors": (start) => `relate?outcome=hrv&start_date=${start}`,
}

/** Medians in milliseconds of cold questions, and of a cached one as a multiple of a cached read's. */
export interface InsightReads {
  readonly coldMs: Readonly<Record<string, number>>
  readonly cached: number
}

/** Questions about ten years, one client. No cold one repeats, so the response cache answers none. */
export async function insightReads({ service: { port }, postgres, person: { key } }: Bench): Promise<InsightReads> {
  const load = { port, connections: 1, status: STATUS }
  const read = (path: string): SentRequest => ({ path: `/api/v1/${path}`, headers: { authorization: `Bearer ${key}` } })
  const first = Temporal.Now.plainDateISO("UTC").subtract({ days: DAYS - 1 })
  const columns = ["question", "connections", "req/s", "p50 ms", "p99 ms", "of read", "p99 of read's"]
  const row = openTable(`Statistics over ten years, ${postgres} PostgreSQL`, columns)
  const coldMs: Record<string, number> = {}
  const cachedRead = { ...load, next: inTurn([bytesOf(readOf(key, ninetyNights()))]) }
  for (const [name, ask] of Object.entries(COLD)) {
    // The first date moves by a day at a time, back beyond the ten years and again from there.
    const questions = Array.from({ length: QUESTIONS }, (_, index) =>
      bytesOf(read(`${ask(first.subtract({ days: index % 100 }))}${index < 100 ? "" : `&end_date=${endOf(index)}`}`)),
    )
    const measured = await compare({ read: cachedRead, cold: { ...load, next: inTurn(questions) } })
    coldMs[name] = measured.cold.p50Ms
    row([`cold: ${name}`, 1, ...comparedTo(measured.read, measured.cold)])
  }
  const trend = { ...load, next: inTurn([bytesOf(read(`trend?metric=hrv&days=${DAYS}`))]) }
  const measured = await compare({ read: cachedRead, trend })
  row(["cached: trend of hrv", 1, ...comparedTo(measured.read, measured.trend)])
  row(["cached: read of 90 nights", 1, ...comparedTo(measured.read, measured.read)])
  return { coldMs, cached: measured.trend.p50Ms / measured.read.p50Ms }
}

const endOf = (index: number): Temporal.PlainDate =>
  Temporal.Now.plainDateISO("UTC").subtract({ days: Math.floor(index / 100) })
