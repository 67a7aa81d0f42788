/** All rows of one person at Withings, generated day by day as the clock advances: a mat under the mattress, a watch, a scale and a cuff. */

import { gramsOn } from "../archives/as-measured-by.ts"
import { DAY_MS, HOUR_MS, localDay, localInstantMs, MINUTE_MS, roundTo, SECOND_MS } from "../model/calendar.ts"
import type { Session } from "../model/effort.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"
import type { SportName } from "../model/traits.ts"
import { activityHistory, spo2History } from "../oura/records/daily-records.ts"
import { type RingDay, ringDay, ringNight, ringVitals, type ShortSleep } from "../oura/records/ring.ts"
import { uploadOf } from "../oura/records/sleep-record.ts"
import { Collection, type RecordHistory, type Version } from "../world/collection.ts"
import { activityLifecycle, type TimedActivity } from "../world/day-frame.ts"
import type { Member } from "../world/people.ts"
import { stageSpans, sumsOf } from "./segments.ts"
import type {
  WireMeasure,
  WireMeasureGroup,
  WireWithingsActivity,
  WireWithingsSleep,
  WireWithingsWorkout,
} from "./wire.ts"

const CATEGORIES: Readonly<Partial<Record<SportName, number>>> = {
  running: 2,
  "track-field": 2,
  cycling: 6,
  "mountain-biking": 523,
  spin: 547,
  swimming: 7,
  weightlifting: 16,
  weightlifting_msk: 16,
  powerlifting: 16,
  "functional-fitness": 546,
  hiit: 550,
  yoga: 28,
  pilates: 19,
  walking: 1,
  "dog-walking": 559,
  "hiking-rucking": 3,
  rowing: 187,
  tennis: 12,
  padel: 456,
  soccer: 21,
  skiing: 34,
}

/** Rest, which no watch records. */
const RESTS: ReadonlySet<SportName> = new Set(["sauna", "ice-bath", "massage-therapy", "meditation", "stretching"])

const MAT = { model: 32, model_id: 63 } as const
const WATCH = { model: 16, model_id: 93 } as const

const seconds = (ms: number): number => Math.round(ms / SECOND_MS)
const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
const localDateAt = (zone: string, ms: number): string => dateOf(localDay(zone, ms))
const between = (row: { readonly startdate: number; readonly enddate: number }) => ({
  startMs: row.startdate * SECOND_MS,
  endMs: row.enddate * SECOND_MS,
})
const atNoon = ({ date }: { readonly date: string }) => {
  const ms = Date.parse(`${date}T12:00:00Z`)
  return { startMs: ms, endMs: ms }
}

export class PersonRows {
  readonly sleep = new Collection<WireWithingsSleep>(between)
  readonly workouts = new Collection<WireWithingsWorkout>(between)
  readonly activity = new Collection<WireWithingsActivity>(atNoon)
  readonly measures = new Collection<WireMeasureGroup>(({ date }) => ({
    startMs: date * SECOND_MS,
    endMs: date * SECOND_MS,
  }))
  readonly #member: Member
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    const { memberSinceMs } = member
    if (memberSinceMs === undefined) return
    this.#nextDay = this.#homeDay(memberSinceMs)
    this.measures.add(heightOf(member, memberSinceMs))
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
    const { life, ordinal } = this.#member
    const idOf = (index: number) => (ordinal + 1) * 10_000_000 + day * 100 + index
    const ring = ringDay(life, day)
    if (!ring) return
    if (ring.hasSleep) this.sleep.add(nightHistory(life, ring, idOf(0)))
    const naps = ring.shortSleeps.filter(({ type }) => type !== "rest")
    for (const [index, nap] of naps.entries()) this.sleep.add(napHistory(life, ring, nap, idOf(1 + index)))
    for (const history of activityHistories(life, ring)) this.activity.add(history)
    for (const [index, activity] of ring.activities.entries()) {
      const { session } = activity
      if (session === undefined || RESTS.has(session.sport)) continue
      for (const history of workoutHistories(life, ring, { ...activity, session }, idOf(20 + 2 * index)))
        this.workouts.add(history)
    }
    for (const history of measureHistories(life, ring, idOf(60))) this.measures.add(history)
  }
}

const hashOf = (life: Life, device: { readonly model_id: number }): string =>
  randomFor(life.seed, "withings device", device.model_id).uuid().replaceAll("-", "")

interface SleepVersion {
  readonly id: number
  readonly zone: string
  readonly startMs: number
  readonly endMs: number
  readonly createdMs: number
  readonly modifiedMs: number
  readonly isComplete: boolean
  readonly device: typeof MAT | typeof WATCH
}

function sleepRow(life: Life, ring: RingDay, version: SleepVersion): WireWithingsSleep {
  const { id, zone, startMs, endMs, createdMs, modifiedMs, isComplete, device } = version
  const [startdate, enddate] = [seconds(startMs), seconds(endMs)]
  const sums = sumsOf(stageSpans(id, startdate, enddate))
  const vitals = ringVitals(life, ring.day)
  const asleep = sums.light + sums.deep + sums.rem
  const isNight = endMs - startMs >= 3 * HOUR_MS
  const hasVitals = !life.plan(ring.day).signalIsPoor
  const random = randomFor(life.seed, "withings night", id)
  return {
    id,
    timezone: zone,
    ...device,
    hash_deviceid: hashOf(life, device),
    startdate,
    enddate,
    date: localDateAt(zone, endMs),
    created: seconds(createdMs),
    modified: seconds(modifiedMs),
    completed: isComplete,
    data: {
      total_timeinbed: enddate - startdate,
      total_sleep_time: asleep,
      lightsleepduration: sums.light,
      deepsleepduration: sums.deep,
      remsleepduration: sums.rem,
      wakeupduration: sums.awake,
      sleep_efficiency: roundTo(asleep / Math.max(1, asleep + sums.awake), 2),
      sleep_latency: random.integer(60, 1500),
      sleep_score: isNight ? random.integer(35, 96) : null,
      hr_average: hasVitals ? Math.round(vitals.averageHeartRate) : 0,
      hr_min: hasVitals ? vitals.lowestHeartRate : 0,
      hr_max: hasVitals ? Math.round(vitals.averageHeartRate + 25) : 0,
      rr_average: hasVitals ? Math.round(vitals.breathsPerMinute) : 0,
      snoring: random.integer(0, 4000),
      breathing_disturbances_intensity: -1,
      apnea_hypopnea_index: -1,
      rmssd_start_avg: hasVitals && isNight ? vitals.hrvRmssdMs : null,
      rmssd_end_avg: hasVitals && isNight ? vitals.hrvRmssdMs + 6 : null,
      wakeupcount: random.integer(0, 8),
    },
  }
}

/** A row is there before the night ends, grows, and may be corrected days later. */
function nightHistory(life: Life, ring: RingDay, id: number): RecordHistory<WireWithingsSleep> {
  const night = ringNight(life, ring.day)
  const { corrected, deletedMs } = ring.lifecycle
  const uploadedMs = uploadOf(ring)
  const beganMs = night.startMs + Math.min(2 * HOUR_MS, (night.endMs - night.startMs) / 2)
  const device = randomFor(life.seed, "withings mat", 0).chance(0.6) ? MAT : WATCH
  const common = { id, zone: ring.nightZone, startMs: night.startMs, createdMs: beganMs, device }
  const versionAt = (fromMs: number, times: Partial<SleepVersion>): Version<WireWithingsSleep> => {
    const row = sleepRow(life, ring, { ...common, endMs: night.endMs, modifiedMs: fromMs, isComplete: true, ...times })
    return { fromMs, build: () => row }
  }
  const versions = [versionAt(beganMs, { endMs: beganMs, isComplete: false }), versionAt(uploadedMs, {})]
  if (corrected && corrected.atMs > uploadedMs)
    versions.push(versionAt(corrected.atMs, { startMs: night.startMs + corrected.startShiftMs }))
  if (deletedMs !== undefined && deletedMs > uploadedMs) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: String(id), versions }
}

function napHistory(life: Life, ring: RingDay, short: ShortSleep, id: number): RecordHistory<WireWithingsSleep> {
  const { sleep, uploadedMs, deletedMs } = short
  const row = sleepRow(life, ring, {
    id,
    zone: ring.dayZone,
    startMs: sleep.startMs,
    endMs: sleep.endMs,
    createdMs: uploadedMs,
    modifiedMs: uploadedMs,
    isComplete: true,
    device: WATCH,
  })
  const versions: Version<WireWithingsSleep>[] = [{ fromMs: uploadedMs, build: () => row }]
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
  return { key: String(id), versions }
}

/** A day grows with each sync. A phone counts steps too, more of them, and some days it alone does. */
function activityHistories(life: Life, ring: RingDay): RecordHistory<WireWithingsActivity>[] {
  const random = randomFor(life.seed, "withings activity", ring.day)
  const zone = life.plan(ring.day).morningZone
  const date = dateOf(ring.day)
  const brandOf = (brand: number): RecordHistory<WireWithingsActivity> => ({
    key: `${date}/${brand}`,
    versions: activityHistory(life, ring).versions.map(({ fromMs, build }) => ({
      fromMs,
      build: (nowMs: number) => {
        const day = build(nowMs)
        if (day === null) return null
        const isOwn = brand === 1
        return {
          date,
          timezone: zone,
          modified: seconds(fromMs),
          brand,
          is_tracker: isOwn,
          deviceid: null,
          hash_deviceid: isOwn ? hashOf(life, WATCH) : null,
          model: isOwn ? "ScanWatch" : null,
          steps: isOwn ? day.steps : day.steps + 900,
          distance: day.equivalent_walking_distance,
          elevation: 4,
          calories: day.active_calories,
          totalcalories: day.total_calories,
          ...(isOwn && { hr_average: 64, hr_min: 48, hr_max: 141 }),
        }
      },
    })),
  })
  const isAlone = random.chance(0.05)
  return [...(isAlone ? [] : [brandOf(1)]), ...(isAlone || random.chance(0.3) ? [brandOf(18)] : [])]
}

/** Some workouts are listed twice, and the data of one may be missing. */
function workoutHistories(
  life: Life,
  ring: RingDay,
  { session, startMs, endMs }: TimedActivity & { readonly session: Session },
  id: number,
): RecordHistory<WireWithingsWorkout>[] {
  const random = randomFor(life.seed, "withings workout", session.id)
  const { uploadedMs, deletedMs, renamedMs } = activityLifecycle(`${life.seed}/withings`, String(id), endMs)
  const hasNoData = random.chance(0.05)
  const write = (own: number, modifiedMs: number, category: number): WireWithingsWorkout => ({
    id: own,
    category,
    timezone: ring.dayZone,
    model: WATCH.model,
    attrib: 0,
    startdate: seconds(startMs),
    enddate: seconds(endMs),
    date: localDateAt(ring.dayZone, startMs),
    modified: seconds(modifiedMs),
    deviceid: null,
    data: hasNoData
      ? []
      : {
          calories: Math.round(session.kilojoules / 4.184),
          distance: session.ground ? Math.round(session.ground.distanceMeters) : 0,
          steps: 0,
          elevation: 0,
          hr_average: Math.round(session.averageHeartRate),
          hr_min: 80,
          hr_max: Math.round(session.maxHeartRate),
          manual_calories: 0,
          manual_distance: 0,
        },
  })
  const category = CATEGORIES[session.sport] ?? 36
  const historyOf = (own: number): RecordHistory<WireWithingsWorkout> => {
    const versions: Version<WireWithingsWorkout>[] = [
      { fromMs: uploadedMs, build: () => write(own, uploadedMs, renamedMs === undefined ? category : 36) },
    ]
    if (renamedMs !== undefined) versions.push({ fromMs: renamedMs, build: () => write(own, renamedMs, category) })
    if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => null })
    return { key: String(own), versions }
  }
  return [historyOf(id), ...(random.chance(0.06) ? [historyOf(id + 1)] : [])]
}

const measure = (type: number, value: number, unit: number): WireMeasure => ({ value, type, unit, algo: 0, fm: 131 })

const groupHistory = (
  grpid: number,
  atMs: number,
  measures: readonly WireMeasure[],
  more: Partial<WireMeasureGroup> = {},
): RecordHistory<WireMeasureGroup> => {
  const group: WireMeasureGroup = {
    grpid,
    attrib: 0,
    date: seconds(atMs),
    created: seconds(atMs),
    modified: seconds(atMs),
    category: 1,
    deviceid: null,
    hash_deviceid: "scale",
    measures,
    comment: null,
    ...more,
  }
  return { key: String(grpid), versions: [{ fromMs: atMs + 2 * MINUTE_MS, build: () => group }] }
}

/** The height that the person typed when they made the account. */
const heightOf = ({ person, ordinal }: Member, sinceMs: number): RecordHistory<WireMeasureGroup> =>
  groupHistory(
    (ordinal + 1) * 10_000_000,
    sinceMs,
    [measure(4, Math.round(person.traits.body.heightMeters * 100), -2)],
    { attrib: 4, hash_deviceid: null },
  )

/** A weight every third day, at times of a person whom the scale does not know, SpO2 of the night, blood pressure each week. */
function measureHistories(life: Life, ring: RingDay, firstId: number): RecordHistory<WireMeasureGroup>[] {
  const { day } = ring
  const morning = localInstantMs(life.plan(day).morningZone, day, 7 * 60 + 20)
  const oxygen = ring.hasSleep ? spo2History(life, ring)?.versions[0]?.build(morning)?.spo2_percentage : undefined
  const weight = measure(1, gramsOn(day), -3)
  return [
    ...(day % 3 === 0 ? [groupHistory(firstId, morning, [weight, measure(6, 2_010 + (day % 30), -2)])] : []),
    ...(day % 10 === 0 ? [groupHistory(firstId + 1, morning + HOUR_MS, [measure(1, 48_200, -3)], { attrib: 1 })] : []),
    ...(day % 7 === 0
      ? [groupHistory(firstId + 2, morning, [measure(9, 76, 0), measure(10, 118, 0), measure(11, 61, 0)])]
      : []),
    ...(day % 30 === 0
      ? [
          groupHistory(firstId + 3, morning, [measure(123, 443, -1)]),
          groupHistory(firstId + 4, morning, [measure(1, 65_000, -3)], { category: 2, attrib: 2 }),
        ]
      : []),
    ...(oxygen ? [groupHistory(firstId + 5, uploadOf(ring), [measure(54, Math.round(oxygen.average), 0)])] : []),
  ]
}
