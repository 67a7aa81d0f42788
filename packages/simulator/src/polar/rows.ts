/** All rows of one person at Polar, generated day by day as the clock advances: what a watch sends there of each day. */

import { clamp, DAY_MS, localDay, MINUTE_MS, offsetMinutes, roundTo } from "../model/calendar.ts"
import type { Session } from "../model/effort.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"
import type { SportName } from "../model/traits.ts"
import { activityHistory } from "../oura/records/daily-records.ts"
import { type RingDay, ringDay, ringNight, ringVitals } from "../oura/records/ring.ts"
import { uploadOf } from "../oura/records/sleep-record.ts"
import { Collection, type RecordHistory, type Version } from "../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../world/day-frame.ts"
import type { Member } from "../world/people.ts"
import type { WireDay, WireExercise, WireNight, WireRecharge, WireTemperature } from "./wire.ts"

const SPORTS: Readonly<Partial<Record<SportName, string>>> = {
  running: "TRAIL_RUNNING",
  "track-field": "TRACK_AND_FIELD_RUNNING",
  cycling: "ROAD_BIKING",
  "mountain-biking": "MOUNTAIN_BIKING",
  spin: "INDOOR_CYCLING",
  swimming: "OPEN_WATER_SWIMMING",
  weightlifting: "STRENGTH_TRAINING",
  weightlifting_msk: "STRENGTH_TRAINING",
  powerlifting: "STRENGTH_TRAINING",
  "functional-fitness": "CIRCUIT_TRAINING",
  hiit: "HIIT",
  yoga: "YOGA",
  walking: "WALKING",
  "dog-walking": "WALKING",
  "hiking-rucking": "HIKING",
  tennis: "TENNIS",
}

/** Rest, which no watch records. */
const RESTS: ReadonlySet<SportName> = new Set(["sauna", "ice-bath", "massage-therapy", "meditation", "stretching"])

/** Polar's codes of the ring's phases: deep, light, REM, awake. Every other light one is the lighter of the two. */
const CODES: Readonly<Record<string, number>> = { "1": 4, "2": 3, "3": 1, "4": 0 }
const LIGHTER = 2
const PHASE_MS = 5 * MINUTE_MS

export class PersonRows {
  readonly nights = new Collection<WireNight>((night) => ({
    startMs: Date.parse(night.sleep_start_time),
    endMs: Date.parse(night.sleep_end_time),
  }))
  readonly recharges = new Collection<WireRecharge>(({ date }) => at(date))
  readonly temperatures = new Collection<WireTemperature>(({ sleep_date }) => at(sleep_date))
  readonly days = new Collection<WireDay>(({ start_time }) => at(start_time.slice(0, 10)))
  readonly exercises = new Collection<WireExercise>((row) => {
    const startMs = Date.parse(`${row.start_time}Z`) - row.start_time_utc_offset * MINUTE_MS
    return { startMs, endMs: startMs }
  })
  readonly #member: Member
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment, one day ahead for people who have travelled east. */
  extendTo(nowMs: number): this {
    if (this.#nextDay === undefined) return this
    const lastDay = this.#homeDay(nowMs) + 1
    for (; this.#nextDay <= lastDay; this.#nextDay++) this.#generate(this.#nextDay)
    return this
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }

  #generate(day: number): void {
    const { life, person } = this.#member
    const ring = ringDay(life, day)
    if (!ring) return
    const user = `https://www.polaraccesslink.com/v3/users/${person.userId}`
    if (ring.hasSleep) {
      const night = nightOf(life, ring, user)
      const { date } = night
      // The row is written again: at first the score is missing.
      const uploadedMs = uploadOf(ring)
      const first = { ...night, sleep_score: 0 }
      const versions: Version<WireNight>[] = [
        { fromMs: uploadedMs, build: () => first },
        { fromMs: uploadedMs + 10 * MINUTE_MS, build: () => night },
      ]
      if (ring.lifecycle.deletedMs !== undefined && ring.lifecycle.deletedMs > uploadedMs + 10 * MINUTE_MS)
        versions.push({ fromMs: ring.lifecycle.deletedMs, build: () => null })
      this.nights.add({ key: date, versions })
      this.recharges.add(once(date, uploadedMs, rechargeOf(life, ring, date, user)))
      const temperature = temperatureOf(life, ring, date)
      if (temperature) this.temperatures.add(once(date, uploadedMs, temperature))
    }
    this.days.add(dayHistory(life, ring))
    for (const activity of ring.activities) {
      const { session } = activity
      if (session && !RESTS.has(session.sport))
        this.exercises.add(exerciseHistory(life, ring, { ...activity, session }, user))
    }
  }
}

const at = (date: string) => ({ startMs: Date.parse(`${date}T00:00:00Z`), endMs: Date.parse(`${date}T00:00:00Z`) })

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const once = <T>(key: string, fromMs: number, body: T): RecordHistory<T> => ({
  key,
  versions: [{ fromMs, build: () => body }],
})

/** Local time in whole seconds. */
const writeLocal = (zone: string, instantMs: number): string =>
  new Date(instantMs + offsetMinutes(zone, instantMs) * MINUTE_MS).toISOString().slice(0, 19)

function writeOffset(zone: string, instantMs: number): string {
  const minutes = offsetMinutes(zone, instantMs)
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0")
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`
}

const writeZoned = (zone: string, instantMs: number): string =>
  writeLocal(zone, instantMs) + writeOffset(zone, instantMs)

function nightOf(life: Life, ring: RingDay, user: string): WireNight {
  const night = ringNight(life, ring.day)
  const vitals = ringVitals(life, ring.day)
  const random = randomFor(life.seed, "polar night", ring.day)
  const { nightZone: zone } = ring
  const hypnogram: Record<string, number> = {}
  const heartRates: Record<string, number> = {}
  // By the clock of the start, as it was then.
  const offsetMs = offsetMinutes(zone, night.startMs) * MINUTE_MS
  const clockAt = (ms: number) => new Date(ms + offsetMs).toISOString().slice(11, 16)
  let before = ""
  for (const [index, phase] of [...night.phases].entries()) {
    const key = clockAt(night.startMs + index * PHASE_MS)
    if (phase !== before) hypnogram[key] = phase === "2" && index % 2 === 0 ? LIGHTER : (CODES[phase] ?? 5)
    before = phase
    heartRates[key] = random.chance(0.04) ? 0 : Math.round(random.normal(vitals.averageHeartRate, 3))
  }
  return {
    polar_user: user,
    date: writeLocal(zone, night.endMs).slice(0, 10),
    sleep_start_time: writeZoned(zone, night.startMs),
    sleep_end_time: writeZoned(zone, night.endMs),
    device_id: "1111AAAA",
    continuity: roundTo(random.between(1.6, 4.8), 1),
    continuity_class: random.integer(1, 5),
    light_sleep: night.lightSeconds,
    deep_sleep: night.deepSeconds,
    rem_sleep: night.remSeconds,
    unrecognized_sleep_stage: 0,
    sleep_score: clamp(Math.round(random.normal(76, 9)), 1, 100),
    total_interruption_duration: night.awakeSeconds,
    sleep_charge: random.integer(1, 5),
    sleep_goal: 28_800,
    sleep_rating: 0,
    sleep_cycles: random.integer(3, 6),
    group_duration_score: random.integer(30, 100),
    group_solidity_score: random.integer(30, 100),
    group_regeneration_score: roundTo(random.between(30, 100), 1),
    hypnogram,
    heart_rate_samples: heartRates,
  }
}

/** Now and then the watch sat too loosely: its figures are zero. */
function rechargeOf(life: Life, ring: RingDay, date: string, user: string): WireRecharge {
  const vitals = ringVitals(life, ring.day)
  const random = randomFor(life.seed, "polar recharge", ring.day)
  const isPoor = random.chance(0.04)
  return {
    polar_user: user,
    date,
    heart_rate_avg: Math.round(vitals.averageHeartRate),
    beat_to_beat_avg: isPoor ? 0 : Math.round(60_000 / vitals.averageHeartRate),
    heart_rate_variability_avg: isPoor ? 0 : vitals.hrvRmssdMs,
    breathing_rate_avg: roundTo(vitals.breathsPerMinute, 1),
    nightly_recharge_status: random.integer(1, 6),
    ans_charge: roundTo(random.between(-8, 8), 1),
    ans_charge_status: random.integer(1, 5),
  }
}

/** The sensor measures most nights. */
function temperatureOf(life: Life, ring: RingDay, date: string): WireTemperature | undefined {
  const random = randomFor(life.seed, "polar temperature", ring.day)
  if (random.chance(0.1)) return undefined
  const deviation = ringVitals(life, ring.day).temperatureDeviation
  return {
    sleep_date: date,
    sleep_time_skin_temperature_celsius: roundTo(34.6 + deviation, 2),
    deviation_from_baseline_celsius: deviation,
  }
}

/** A day fills with each sync. */
function dayHistory(life: Life, ring: RingDay): RecordHistory<WireDay> {
  const date = dateOf(ring.day)
  const versions = activityHistory(life, ring).versions.map(({ fromMs, build }): Version<WireDay> => {
    const activity = build(fromMs)
    const day: WireDay = {
      start_time: `${date}T00:00:00`,
      end_time: `${date}T23:59:59`,
      active_duration: "PT2H11M",
      inactive_duration: "PT9H40M",
      daily_activity: 88,
      calories: activity?.total_calories ?? 0,
      active_calories: activity?.active_calories ?? 0,
      steps: activity?.steps ?? 0,
      distance_from_steps: activity?.equivalent_walking_distance ?? 0,
      inactivity_alert_count: 1,
    }
    return { fromMs, build: () => day }
  })
  return { key: date, versions }
}

type Placed = TimedActivity & { readonly session: Session }

function exerciseHistory(life: Life, ring: RingDay, placed: Placed, user: string): RecordHistory<WireExercise> {
  const id = randomFor(life.seed, "polar exercise", placed.session.id).uuid().slice(0, 8)
  const { uploadedMs, renamedMs, deletedMs } = activityLifecycle(`${life.seed}/polar`, placed.session.id, placed.endMs)
  const first = exerciseOf(ring, placed, { id, user, uploadedMs })
  const versions: Version<WireExercise>[] = [{ fromMs: uploadedMs, build: () => first }]
  if (renamedMs !== undefined)
    versions.push({ fromMs: renamedMs, build: () => ({ ...first, detailed_sport_info: "OTHER_INDOOR" }) })
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: id, versions }
}

const ZONE_SHARES = [0.1, 0.25, 0.3, 0.2, 0.1]

function exerciseOf(
  ring: RingDay,
  { session, startMs, endMs }: Placed,
  { id, user, uploadedMs }: { readonly id: string; readonly user: string; readonly uploadedMs: number },
): WireExercise {
  const seconds = Math.round((endMs - startMs) / 1000)
  const sport = SPORTS[session.sport] ?? "OTHER_OUTDOOR"
  const start = writeLocal(ring.dayZone, startMs)
  return {
    id,
    upload_time: new Date(uploadedMs).toISOString(),
    polar_user: user,
    device: "Polar Vantage V3",
    start_time: start,
    start_time_utc_offset: offsetMinutes(ring.dayZone, startMs),
    duration: `PT${Math.floor(seconds / 3600)}H${Math.floor((seconds % 3600) / 60)}M${seconds % 60}.500S`,
    calories: Math.round(session.kilojoules / 4.184),
    ...(session.ground && { distance: roundTo(session.ground.distanceMeters, 1) }),
    heart_rate: { average: session.averageHeartRate, maximum: session.maxHeartRate },
    sport: sport.split("_").at(-1) ?? sport,
    detailed_sport_info: sport,
    has_route: session.ground !== undefined,
    training_load_pro: { date: start.slice(0, 10), "cardio-load": roundTo(session.load, 1), "user-rpe": "RPE_NONE" },
    heart_rate_zones: ZONE_SHARES.map((share, index) => ({
      index: index + 1,
      "lower-limit": 95 + index * 18,
      "upper-limit": 113 + index * 18,
      "in-zone": `PT${Math.floor(seconds * share)}S`,
    })),
  }
}
