/** All days of one person at Ultrahuman, generated as the clock advances: what a ring sends of each, when the phone syncs. */
import { DAY_MS, HOUR_MS, localDay, localInstantMs, MINUTE_MS, roundTo, SECOND_MS } from "../model/calendar.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"
import { activityHistory } from "../oura/records/daily-records.ts"
import { type RingDay, ringDay, ringNight, ringVitals } from "../oura/records/ring.ts"
import { uploadOf } from "../oura/records/sleep-record.ts"
import { Collection, type RecordHistory, type Version } from "../world/collection.ts"
import type { Member } from "../world/people.ts"
import type { WirePoint, WireUltrahumanDay } from "./wire.ts"

/** Names of the stages, by the digits of the ring's phases. */
const STAGES: Readonly<Record<string, string>> = { 1: "deep_sleep", 2: "light_sleep", 3: "rem_sleep", 4: "awake" }
const PHASE_MS = 5 * MINUTE_MS

export class PersonDays {
  readonly days = new Collection<WireUltrahumanDay>(({ id }) => {
    const ms = Date.parse(`${id}T00:00:00Z`)
    return { startMs: ms, endMs: ms }
  })
  readonly #member: Member
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment, and the one after it. */
  extendTo(nowMs: number): this {
    if (this.#nextDay === undefined) return this
    const lastDay = this.#homeDay(nowMs) + 1
    for (; this.#nextDay <= lastDay; this.#nextDay++) {
      const ring = ringDay(this.#member.life, this.#nextDay)
      if (ring) this.days.add(dayHistory(this.#member.life, ring))
    }
    return this
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }
}

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const seconds = (ms: number): number => Math.round(ms / SECOND_MS)

/** A day fills: with each sync come the steps so far, and once the night is there, its figures. */
function dayHistory(life: Life, ring: RingDay): RecordHistory<WireUltrahumanDay> {
  const steps = activityHistory(life, ring).versions
  const nightMs = ring.hasSleep ? uploadOf(ring) : undefined
  const times = [...new Set([...steps.map(({ fromMs }) => fromMs), ...(nightMs === undefined ? [] : [nightMs])])]
  const versions = times
    .toSorted((one, other) => one - other)
    .map((fromMs): Version<WireUltrahumanDay> => {
      const newest = steps.findLast((version) => version.fromMs <= fromMs)?.build(fromMs)
      const hasNight = nightMs !== undefined && nightMs <= fromMs
      const metrics: WirePoint[] = [
        ...(newest ? [stepsOf(newest.steps)] : []),
        ...(hasNight ? nightOf(life, ring) : notYet(ring)),
      ].map((point) => withDayStart(point, ring))
      return { fromMs, build: () => ({ id: dateOf(ring.day), metrics }) }
    })
  return { key: dateOf(ring.day), versions }
}

/** Points that say where their day began: at midnight where the person was. */
const DAY_STARTERS = ["hr", "temp", "hrv", "spo2", "steps", "sleep_rhr"]

const withDayStart = ({ type, object }: WirePoint, { dayZone, day }: RingDay): WirePoint =>
  DAY_STARTERS.includes(type)
    ? { type, object: { ...object, day_start_timestamp: seconds(localInstantMs(dayZone, day, 0)) } }
    : { type, object }

const stepsOf = (steps: number): WirePoint => ({ type: "steps", object: { total: steps + 0.2, values: [] } })

/** Before the night is there, its object has no score. */
const notYet = (ring: RingDay): WirePoint[] => [
  { type: "sleep", object: { bedtime_start: seconds(ring.startMs), bedtime_end: seconds(ring.startMs + HOUR_MS) } },
  { type: "hrv", object: { title: "HRV", unit: "ms", values: [] } },
]

function nightOf(life: Life, ring: RingDay): WirePoint[] {
  const random = randomFor(life.seed, "ultrahuman night", ring.day)
  const vitals = ringVitals(life, ring.day)
  const values = (level: number, spread: number) => seriesOf(life, ring, level, spread)
  const points: WirePoint[] = [
    { type: "hr", object: { title: "HR", unit: "BPM", values: values(vitals.averageHeartRate, 4) } },
    { type: "temp", object: { title: "Temp", unit: "C", values: values(34.6, 0.3) } },
    { type: "sleep_rhr", object: { title: "Sleep RHR", value: vitals.lowestHeartRate } },
    { type: "night_rhr", object: { avg: vitals.lowestHeartRate + 3, values: [] } },
    { type: "avg_sleep_hrv", object: { value: vitals.hrvRmssdMs } },
    { type: "recovery_index", object: { value: random.integer(40, 95) } },
    { type: "sleep", object: sleepOf(life, ring, random.integer(50, 98)) },
  ]
  // Each tenth day has a point twice.
  return ring.day % 10 === 0 ? [...points, ...points.filter(({ type }) => /sleep|recovery/.test(type))] : points
}

function sleepOf(life: Life, ring: RingDay, score: number): WirePoint["object"] {
  const night = ringNight(life, ring.day)
  const vitals = ringVitals(life, ring.day)
  const minutes = (of: number) => ({ minutes: Math.round(of / 60) })
  const asleep = night.deepSeconds + night.remSeconds + night.lightSeconds
  return {
    bedtime_start: seconds(night.startMs),
    bedtime_end: seconds(night.endMs),
    sleep_score: { score },
    total_sleep: minutes(asleep),
    time_in_bed: minutes(seconds(night.endMs - night.startMs)),
    deep_sleep: minutes(night.deepSeconds),
    rem_sleep: minutes(night.remSeconds),
    light_sleep: minutes(night.lightSeconds),
    sleep_efficiency: { percentage: night.efficiencyPercent },
    temperature_deviation: { celsius: vitals.temperatureDeviation },
    average_body_temperature: { celsius: 34.6 },
    spo2: { value: roundTo(vitals.spo2Percent, 1) },
    sleep_stages: [{ type: "awake", stage_time: night.awakeSeconds, percentage: 8 }],
    sleep_graph: {
      data: [...night.phases].map((digit, index) => ({
        start: seconds(night.startMs + index * PHASE_MS),
        end: seconds(Math.min(night.startMs + (index + 1) * PHASE_MS, night.endMs)),
        type: STAGES[digit] ?? "awake",
      })),
    },
  }
}

/** Values of a night every half hour. Entries may lack a part, and zero is no measurement. */
function seriesOf(life: Life, ring: RingDay, level: number, spread: number): object[] {
  const night = ringNight(life, ring.day)
  const random = randomFor(life.seed, "ultrahuman series", ring.day, level)
  const values: object[] = [
    { timestamp: seconds(night.startMs), value: 0 },
    { value: level },
    { timestamp: seconds(night.endMs) },
  ]
  for (let ms = night.startMs + 30 * MINUTE_MS; ms < night.endMs; ms += 30 * MINUTE_MS)
    values.push({ timestamp: seconds(ms), value: roundTo(level + random.normal(0, spread), 1) })
  return values
}
