/* Nights of main sleeps: sleeps of one source with less than two hours between them are one night (docs/sources.md). */
import { exactly, inHours } from "../exact.ts"
import { HOUR_MS } from "./lives.ts"
import type { MeasuredSleep } from "./measured.ts"
import { asleepMs } from "./records.ts"

export interface WholeNight {
  readonly sleeps: readonly MeasuredSleep[]
  /** Those whose figures make up the night. */
  readonly counted: readonly MeasuredSleep[]
  /** The sleeps as one. */
  readonly night: MeasuredSleep
}

const endOf = ({ record }: MeasuredSleep): number => record.endMs
const isPending = ({ record }: MeasuredSleep): boolean => record.scoreState === "pending"

/** @param sleeps without naps, of any sources */
export function wholeNights(sleeps: readonly MeasuredSleep[]): WholeNight[] {
  return [...Map.groupBy(sleeps, ({ provider }) => provider).values()].flatMap((own) => {
    const left = own.toSorted((one, other) => one.startMs - other.startMs)
    const nights: WholeNight[] = []
    for (let next = left.shift(); next; next = left.shift()) {
      const together = [next]
      while (left[0] && left[0].startMs < Math.max(...together.map(endOf)) + 2 * HOUR_MS)
        together.push(...left.splice(0, 1))
      const counted = measuredOnce(together)
      nights.push({ sleeps: together, counted, night: asOne(counted) })
    }
    return nights
  })
}

/** The longest, and what lies beside it. Sleeps without a time asleep add nothing to others, unless they are to be scored. */
function measuredOnce(sleeps: readonly MeasuredSleep[]): MeasuredSleep[] {
  const known = sleeps.filter((sleep) => asleepMs(sleep.record) !== undefined || isPending(sleep))
  const longest = (known.length > 0 ? known : sleeps).toSorted(
    (one, other) => endOf(other) - other.startMs - (endOf(one) - one.startMs) || one.startMs - other.startMs,
  )
  const taken: MeasuredSleep[] = []
  for (const sleep of longest)
    if (taken.every((other) => endOf(other) <= sleep.startMs || endOf(sleep) <= other.startMs)) taken.push(sleep)
  return taken.toSorted((one, other) => one.startMs - other.startMs)
}

/** @param parts oldest first */
function asOne(parts: readonly MeasuredSleep[]): MeasuredSleep {
  const [first, last] = [parts[0], parts.at(-1)]
  if (!first || !last) throw new Error("a night has a part")
  if (first === last) return first
  const records = parts.map(({ record }) => record)
  const betweenMs = parts.slice(1).reduce((sum, { startMs }, index) => sum + startMs - endOf(parts[index] ?? first), 0)
  const durationMs = total(records.map((record) => record.durationMs)) + betweenMs
  const byLength = records.toSorted((one, other) => other.durationMs - one.durationMs)
  const best = <Value>(read: (record: (typeof records)[number]) => Value | undefined): Value | undefined =>
    byLength.map(read).find((value) => value !== undefined)
  const slept = (record: (typeof records)[number]): number => asleepMs(record) ?? record.durationMs
  const weighted = (read: (record: (typeof records)[number]) => number | undefined): number | undefined => {
    const having = records.filter((record) => read(record) !== undefined)
    const weight = total(having.map(slept))
    return weight === 0 ? undefined : total(having.map((record) => (read(record) ?? 0) * slept(record))) / weight
  }
  const efficiencies = records.flatMap(({ efficiencyPercent, ...record }) =>
    efficiencyPercent === undefined ? [] : [efficiencyPercent * record.durationMs],
  )
  const staged = records.flatMap(({ stages }) => stages ?? [])
  const asleep = records.map(asleepMs)
  const counts = records.map(({ timesAwake }) => timesAwake)
  const states = records.map(({ scoreState }) => scoreState)
  const state = states.includes("pending") ? "pending" : states.includes("scored") ? "scored" : "unscorable"
  const [scorePercent, needMs, consistencyPercent] = [
    best((record) => record.scorePercent),
    best((record) => record.needMs),
    best((record) => record.consistencyPercent),
  ]
  const [needParts, contributors] = [best((record) => record.needParts), best((record) => record.contributors)]
  const [respiratoryRatePerMinute, averageHeartRateBpm] = [
    weighted((record) => record.respiratoryRatePerMinute),
    weighted((record) => record.averageHeartRateBpm),
  ]
  const [lowest] = records
    .flatMap(({ lowestHeartRateBpm, lowestHeartRateAtMs }) =>
      lowestHeartRateBpm === undefined
        ? []
        : [{ lowestHeartRateBpm, ...(lowestHeartRateAtMs !== undefined && { lowestHeartRateAtMs }) }],
    )
    .toSorted((one, other) => one.lowestHeartRateBpm - other.lowestHeartRateBpm)
  const { kind, providerId, updatedMs, raw, endMs, utcOffsetMinutes, isNap, cycleProviderId, device } = last.record
  const { endUtcOffsetMinutes } = last.record
  return {
    ...last,
    startMs: first.startMs,
    record: {
      ...{ kind, providerId, updatedMs, raw, endMs, utcOffsetMinutes, isNap },
      ...(cycleProviderId !== undefined && { cycleProviderId }),
      ...(device !== undefined && { device }),
      ...(endUtcOffsetMinutes !== undefined && { endUtcOffsetMinutes }),
      startMs: first.record.startMs,
      startUtcOffsetMinutes: first.record.startUtcOffsetMinutes ?? first.record.utcOffsetMinutes,
      scoreState: state,
      ...(needMs !== undefined && { needMs }),
      ...(needParts !== undefined && { needParts }),
      ...(contributors !== undefined && { contributors }),
      ...(consistencyPercent !== undefined && { consistencyPercent }),
      ...(averageHeartRateBpm !== undefined && { averageHeartRateBpm }),
      ...lowest,
      // Getting up between two parts is once more.
      ...(counts.every((each) => each !== undefined) && {
        timesAwake: total(counts.map((each) => each ?? 0)) + records.length - 1,
      }),
      ...(first.record.latencyMs !== undefined && { latencyMs: first.record.latencyMs }),
      ...(staged.length < records.length &&
        asleep.every((each) => each !== undefined) && { asleepMs: total(asleep.map((each) => each ?? 0)) }),
      durationMs,
      ...(scorePercent !== undefined && { scorePercent }),
      ...(efficiencies.length === records.length && { efficiencyPercent: total(efficiencies) / durationMs }),
      ...(respiratoryRatePerMinute !== undefined && { respiratoryRatePerMinute }),
      ...(staged.length === records.length && {
        stages: {
          lightMs: total(staged.map(({ lightMs }) => lightMs)),
          deepMs: total(staged.map(({ deepMs }) => deepMs)),
          remMs: total(staged.map(({ remMs }) => remMs ?? 0)),
          awakeMs: total(staged.map(({ awakeMs }) => awakeMs)) + betweenMs,
        },
      }),
    },
  }
}

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** The longest night of each date, by the hours of its answer. Of equal ones, the earlier. @param nights whole ones, of one source */
export const longestOfDates = (nights: readonly MeasuredSleep[]): MeasuredSleep[] =>
  [...Map.groupBy(nights, ({ date }) => date).values()].flatMap((ofDate) =>
    ofDate.toSorted((one, other) => hoursOf(other) - hoursOf(one) || one.startMs - other.startMs).slice(0, 1),
  )

const hoursOf = ({ record }: MeasuredSleep): number => inHours(exactly(record.durationMs))
