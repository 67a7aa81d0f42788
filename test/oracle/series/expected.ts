/** Points as the manual defines them, computed step by step. Nothing here is quick, and nothing is shared with the service. */
import type { Resolution, SeriesType } from "@restwell/client"
import { type PlainPerson, type PlainSample, UNIT } from "./people.ts"

export interface ExpectedPoint {
  readonly date: string
  readonly start: string
  readonly n: number
  readonly weight: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

const MINUTES: Readonly<Record<Exclude<Resolution, "raw">, number>> = {
  "1m": 1,
  "5m": 5,
  "15m": 15,
  "1h": 60,
  "1d": 1440,
}

const textOf = (second: number): string => new Date(second * 1000).toISOString()

/** The clock of a sample, in seconds. */
function clockOf({ nights }: PlainPerson, { at, offset }: PlainSample): number {
  if (offset !== null) return offset * 60
  const ended = nights.filter((night) => night.at <= at)
  return ((ended.at(-1) ?? nights[0])?.offset ?? 0) * 60
}

const dateAt = (second: number, clock: number): string => textOf(second + clock).slice(0, 10)

export interface ExpectedQuery {
  readonly type: SeriesType
  readonly from: string
  readonly to: string
  readonly source?: string | undefined
}

type Answering = ReturnType<typeof computeAnswering>
const known = new WeakMap<PlainPerson, Map<string, Answering>>()

function answering(person: PlainPerson, query: ExpectedQuery): Answering {
  const ofPerson = known.get(person) ?? new Map<string, Answering>()
  known.set(person, ofPerson)
  const name = JSON.stringify(query)
  const answer = ofPerson.get(name) ?? computeAnswering(person, query)
  ofPerson.set(name, answer)
  return answer
}

/** The seconds that each sample of a rate stands for: its duration, or until the next one of its source, at most five minutes. */
function standing(samples: readonly PlainSample[]): ReadonlyMap<PlainSample, number> {
  const streams = Map.groupBy(samples, ({ provider, method }) => `${provider} ${method ?? ""}`)
  const seconds = new Map<PlainSample, number>()
  for (const stream of streams.values()) {
    const ordered = stream.toSorted((one, other) => one.at - other.at)
    for (const [index, sample] of ordered.entries()) {
      const next = ordered[index + 1]?.at ?? Number.POSITIVE_INFINITY
      seconds.set(sample, sample.duration > 0 ? sample.duration : Math.min(300, next - sample.at))
    }
  }
  return seconds
}

/** The samples that answer, with their clocks: of each date those of one source, and of the newest method. */
function computeAnswering(person: PlainPerson, { type, from, to, source }: ExpectedQuery) {
  const clocked = person.samples
    .filter((sample) => sample.type === type && (source === undefined || sample.provider === source))
    .map((sample) => ({ ...sample, clock: clockOf(person, sample) }))
  const winners = new Map<string, string>()
  for (const provider of person.order.toReversed())
    for (const sample of clocked)
      if (sample.provider === provider) winners.set(dateAt(sample.at, sample.clock), provider)
  // A date on which nothing begins may still have the rest of what began on the date before.
  const isAnswering = (provider: string, date: string): boolean => {
    const winner = winners.get(date)
    if (date < from || date > to) return false
    if (winner !== undefined) return winner === provider
    const lasting = person.order.filter((other) =>
      clocked.some(
        ({ provider: own, at, duration, clock }) =>
          own === other && duration > 0 && dateAt(at, clock) < date && dateAt(at + duration - 1, clock) >= date,
      ),
    )
    return lasting[0] === provider
  }
  const stands = type === "steps" ? undefined : standing(clocked)
  const parts = clocked
    .map((sample) => ({
      sample,
      seconds: Array.from(
        { length: Math.max((stands?.get(sample) ?? sample.duration) / UNIT, 1) },
        (_, index) => sample.at + UNIT * index,
      ).filter((second) => isAnswering(sample.provider, dateAt(second, sample.clock))),
    }))
    .filter(({ seconds }) => seconds.length > 0)
  const newest = parts.reduce(
    (last, { sample, seconds }) => {
      const date = dateAt(seconds.at(-1) ?? 0, sample.clock)
      return date > last.date ? { date, method: sample.method } : last
    },
    { date: "", method: null as PlainSample["method"] },
  )
  return { parts: parts.filter(({ sample }) => sample.method === newest.method), method: newest.method }
}

export function expectedRaw(person: PlainPerson, query: ExpectedQuery): { time: string; value: number }[] {
  return answering(person, query)
    .parts.filter(({ sample, seconds }) => seconds[0] === sample.at)
    .map(({ sample }) => ({ time: textOf(sample.at), value: sample.value, provider: sample.provider }))
    .toSorted((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    .map(({ time, value }) => ({ time, value }))
}

/** A bucket while it grows. Its clock is that of the value that came last. */
type Growing = { -readonly [Field in Exclude<keyof ExpectedPoint, "date" | "start">]: number } & {
  readonly startSecond: number
  clock: number
}

export function expectedBuckets(
  person: PlainPerson,
  query: ExpectedQuery,
  resolution: Exclude<Resolution, "raw">,
): ExpectedPoint[] {
  const length = MINUTES[resolution] * 60
  const isLocal = resolution === "1h" || resolution === "1d"
  // Days are known by their number, since clocks may change within one. All else is known by the second that it begins.
  const buckets = new Map<number, Growing>()
  for (const { sample, seconds } of answering(person, query).parts) {
    const { clock, value, duration } = sample
    const shift = isLocal ? clock : 0
    const weight = query.type === "steps" ? UNIT / Math.max(duration, UNIT) : UNIT
    const met = new Set<number>()
    for (const second of seconds) {
      const count = Math.floor((second + shift) / length)
      const startSecond = count * length - shift
      const key = resolution === "1d" ? count : startSecond
      const bucket = buckets.get(key) ?? { startSecond, clock, n: 0, weight: 0, sum: 0, min: value, max: value }
      buckets.set(key, bucket)
      bucket.clock = clock
      // A moment counts where it was measured.
      bucket.n += met.has(key) || (duration === 0 && second !== sample.at) ? 0 : 1
      bucket.weight += weight
      bucket.sum += value * weight
      bucket.min = Math.min(bucket.min, value)
      bucket.max = Math.max(bucket.max, value)
      met.add(key)
    }
  }
  return [...buckets]
    .filter(([, { n }]) => n > 0)
    .toSorted(([one], [other]) => one - other)
    .map(([key, { startSecond, clock, ...figures }]) => ({
      ...figures,
      start: textOf(startSecond),
      date: resolution === "1d" ? dateAt(key * length, 0) : dateAt(startSecond, clock),
    }))
}
