/** All data points of one person at Google Health, generated day by day as the clock advances: what a Fitbit on the ring's owner finds. */
import { gramsOn } from "../archives/as-measured-by.ts"
import { DAY_MS, HOUR_MS, localDay, MINUTE_MS, offsetMinutes, roundTo } from "../model/calendar.ts"
import type { Life } from "../model/life.ts"
import { randomFor } from "../model/random.ts"
import { activityHistory, spo2History } from "../oura/records/daily-records.ts"
import { type RingDay, ringDay, ringNight, ringVitals } from "../oura/records/ring.ts"
import { nightHistory, shortSleepHistory, uploadOf } from "../oura/records/sleep-record.ts"
import type { WireOuraSleep } from "../oura/records/wire.ts"
import { ouraWorkoutHistory } from "../oura/records/workout-record.ts"
import { Collection, type RecordHistory, type Version } from "../world/collection.ts"
import type { Member } from "../world/people.ts"
import {
  DAILY_TYPES,
  dailyDate,
  type WireDaily,
  type WireDailyType,
  type WireGoogleBodyFat,
  type WireGoogleDay,
  type WireGoogleExercise,
  type WireGoogleSleep,
  type WireGoogleWeight,
  type WireStage,
  wireDate,
} from "./wire.ts"

const FITBIT = { platform: "FITBIT", recordingMethod: "DERIVED", device: { displayName: "Fitbit Air" } }
/** What Google's own app on the phone computes beside it. */
const PHONE = { platform: "HEALTH_CONNECT", application: { packageName: "com.google.android.apps.fitness" } }

const PHASE_MS = 5 * MINUTE_MS
const STAGES: Readonly<Record<string, string>> = { "1": "DEEP", "2": "LIGHT", "3": "REM", "4": "AWAKE" }

const EXERCISES: Readonly<Record<string, string>> = {
  running: "RUNNING",
  cycling: "BIKING",
  mountain_biking: "MOUNTAIN_BIKE",
  indoor_cycling: "SPINNING",
  swimming: "SWIMMING_POOL",
  strength_training: "STRENGTH_TRAINING",
  strengthTraining: "WEIGHTLIFTING",
  functional_training: "CROSSFIT",
  hiking: "HIKING",
  walking: "WALKING",
  yoga: "YOGA",
  hiit: "HIIT",
  other: "WORKOUT",
}

const utc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`
const offset = (zone: string, ms: number): string => `${offsetMinutes(zone, ms) * 60}s`
const nameOf = (type: string, id: string): string => `users/me/dataTypes/${type}/dataPoints/${id}`
const dateAt = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

export class PersonPoints {
  readonly sleep = new Collection<WireGoogleSleep>(({ sleep: { interval } }) => at(interval.startTime))
  readonly exercise = new Collection<WireGoogleExercise>(({ exercise: { interval } }) => at(interval.startTime))
  readonly daily: Readonly<Record<WireDailyType, Collection<WireDaily>>> = {
    "daily-resting-heart-rate": dailyCollection(),
    "daily-heart-rate-variability": dailyCollection(),
    "daily-oxygen-saturation": dailyCollection(),
    "daily-respiratory-rate": dailyCollection(),
    "daily-sleep-temperature-derivations": dailyCollection(),
  }
  readonly days = new Collection<WireGoogleDay>(({ date }) => at(`${date}T00:00:00Z`))
  readonly weight = new Collection<WireGoogleWeight>(({ weight }) => at(weight.sampleTime.physicalTime))
  readonly bodyFat = new Collection<WireGoogleBodyFat>(({ bodyFat }) => at(bodyFat.sampleTime.physicalTime))
  readonly #member: Member
  readonly #dates = new Set<string>()
  #nextDay: number | undefined

  constructor(member: Member) {
    this.#member = member
    if (member.memberSinceMs !== undefined) this.#nextDay = this.#homeDay(member.memberSinceMs)
  }

  /** Generates every day that has begun by a moment, one day ahead for people who have travelled east. */
  extendTo(nowMs: number): this {
    if (this.#nextDay === undefined) return this
    const lastDay = this.#homeDay(nowMs) + 1
    for (; this.#nextDay <= lastDay; this.#nextDay++) {
      const ring = ringDay(this.#member.life, this.#nextDay)
      if (ring) this.#generate(ring)
    }
    return this
  }

  #homeDay(instantMs: number): number {
    return localDay(this.#member.person.traits.homeZone, instantMs)
  }

  #generate(ring: RingDay): void {
    const { life } = this.#member
    if (ring.hasSleep) {
      this.sleep.add(sleepHistory(life, ring))
      this.#generateDaily(ring)
    }
    for (const short of ring.shortSleeps.filter(({ type }) => type !== "rest"))
      this.sleep.add(
        mapped(shortSleepHistory(life, ring, short), (sleep, fromMs) =>
          writeSleep(sleep, { zone: ring.dayZone, fromMs }),
        ),
      )
    this.days.add(
      mapped(
        activityHistory(life, ring),
        (day) => ({
          date: day.day,
          steps: day.steps,
          distanceMillimeters: Math.round(day.equivalent_walking_distance * 1000),
          totalKcal: day.total_calories,
          activeKcal: day.active_calories,
        }),
        dateAt(ring.day),
      ),
    )
    for (const activity of ring.activities) {
      const { session } = activity
      const history = session && ouraWorkoutHistory(life, ring, { ...activity, session })
      if (!history) continue
      this.exercise.add(
        mapped(history, (workout, fromMs) => ({
          name: nameOf("exercise", numberOf(workout.id)),
          dataSource: FITBIT,
          exercise: {
            interval: intervalOf(ring.dayZone, Date.parse(workout.start_datetime), Date.parse(workout.end_datetime)),
            exerciseType: EXERCISES[workout.activity] ?? workout.activity.toUpperCase(),
            displayName: "Training",
            activeDuration: `${Math.round((Date.parse(workout.end_datetime) - Date.parse(workout.start_datetime)) / 1000)}s`,
            metricsSummary: {
              caloriesKcal: workout.calories ?? 0,
              ...(workout.distance !== null && { distanceMillimeters: Math.round(workout.distance * 1000) }),
              averageHeartRateBeatsPerMinute: String(session.averageHeartRate),
            },
            notes: "written by the person",
            createTime: utc(activity.endMs),
            updateTime: utc(fromMs),
          },
        })),
      )
    }
    if (ring.day % 7 === 0) {
      const physicalTime = `${dateAt(ring.day)}T06:30:00Z`
      const weight = {
        sampleTime: { physicalTime, utcOffset: "0s" },
        weightGrams: gramsOn(ring.day),
        notes: "after breakfast",
      }
      const point = { name: nameOf("weight", `w${ring.day}`), dataSource: FITBIT, weight }
      const fromMs = Date.parse(physicalTime)
      this.weight.add({ key: `w${ring.day}`, versions: [{ fromMs, build: () => point }] })
      const bodyFat = { sampleTime: weight.sampleTime, percentage: 18 + (ring.day % 5) / 2 }
      const fat = { name: nameOf("body-fat", `f${ring.day}`), dataSource: FITBIT, bodyFat }
      this.bodyFat.add({ key: `f${ring.day}`, versions: [{ fromMs, build: () => fat }] })
    }
  }

  /** The figures of a night come with it, by the date of waking. Only blood oxygen has the date on which the night began. */
  #generateDaily(ring: RingDay): void {
    const { life } = this.#member
    const night = ringNight(life, ring.day)
    const date = dateAt(localDay(ring.nightZone, night.endMs))
    // A flight can give two nights one date.
    if (this.#dates.has(date) || life.plan(ring.day).signalIsPoor) return
    this.#dates.add(date)
    const fromMs = uploadOf(ring)
    const vitals = ringVitals(life, ring.day)
    const day = wireDate(date)
    const dayBefore = wireDate(dateAt(Date.parse(date) / DAY_MS - 1))
    const add = (
      type: WireDailyType,
      id: string,
      figures: Partial<WireDaily>,
      dataSource: WireDaily["dataSource"] = FITBIT,
    ) => {
      const point = { name: nameOf(type, id), dataSource, ...figures }
      this.daily[type].add({ key: id, versions: [{ fromMs, build: () => point }] })
    }
    const rate = vitals.lowestHeartRate
    add(
      "daily-resting-heart-rate",
      `p${date}`,
      { dailyRestingHeartRate: { date: day, beatsPerMinute: String(rate - 5) } },
      PHONE,
    )
    add("daily-resting-heart-rate", `r${date}`, {
      dailyRestingHeartRate: {
        date: day,
        beatsPerMinute: String(rate),
        dailyRestingHeartRateMetadata: { calculationMethod: "WITH_SLEEP" },
      },
    })
    add("daily-heart-rate-variability", `v${date}`, {
      dailyHeartRateVariability: { date: day, averageHeartRateVariabilityMilliseconds: vitals.hrvRmssdMs },
    })
    add("daily-respiratory-rate", `b${date}`, {
      dailyRespiratoryRate: { date: day, breathsPerMinute: vitals.breathsPerMinute },
    })
    add("daily-sleep-temperature-derivations", `t${date}`, {
      dailySleepTemperatureDerivations: {
        date: day,
        nightlyTemperatureCelsius: roundTo(33.2 + vitals.temperatureDeviation, 2),
        baselineTemperatureCelsius: 33.2,
      },
    })
    const oxygen = spo2History(life, ring)?.versions[0]?.build(fromMs)?.spo2_percentage
    if (oxygen)
      add("daily-oxygen-saturation", `o${date}`, {
        dailyOxygenSaturation: { date: dayBefore, averagePercentage: oxygen.average },
      })
  }
}

function dailyCollection(): Collection<WireDaily> {
  return new Collection((point) => at(`${dailyDate(point)}T00:00:00Z`))
}

function at(instant: string) {
  const startMs = Date.parse(instant)
  return { startMs, endMs: startMs }
}

/** Ids are long whole numbers. */
const numberOf = (uuid: string): string => String(randomFor("google point", uuid).integer(1e15, 9e15))

function mapped<From extends { id: string }, To>(
  { key, versions }: RecordHistory<From>,
  write: (body: From, fromMs: number) => To | null,
  newKey = numberOf(key),
): RecordHistory<To> {
  return {
    key: newKey,
    versions: versions.map(
      (version): Version<To> => ({
        ...version,
        build(nowMs) {
          const body = version.build(nowMs)
          return body && write(body, version.fromMs)
        },
      }),
    ),
  }
}

/** A night is there without an end while it goes on, and some get their stages hours after it. */
function sleepHistory(life: Life, ring: RingDay): RecordHistory<WireGoogleSleep> {
  const random = randomFor(life.seed, "google night", ring.day)
  const { key, versions } = mapped(nightHistory(life, ring), (sleep, fromMs) =>
    writeSleep(sleep, { zone: ring.nightZone, fromMs }),
  )
  const whole = versions[0]
  const night = ringNight(life, ring.day)
  const goingOn: WireGoogleSleep = {
    name: nameOf("sleep", key),
    dataSource: FITBIT,
    sleep: {
      interval: { startTime: utc(night.startMs), startUtcOffset: offset(ring.nightZone, night.startMs) },
      stages: [],
      createTime: utc(night.startMs + 20 * MINUTE_MS),
      updateTime: utc(night.startMs + 20 * MINUTE_MS),
    },
  }
  const open: Version<WireGoogleSleep> = { fromMs: night.startMs + 20 * MINUTE_MS, build: () => goingOn }
  const isLate = whole !== undefined && versions.length === 1 && random.chance(0.05)
  if (!isLate) return { key, versions: [open, ...versions] }
  const fromMs = whole.fromMs + Math.round(random.between(3, 40) * HOUR_MS)
  const withoutStages: Version<WireGoogleSleep> = {
    fromMs: whole.fromMs,
    build(nowMs) {
      const body = whole.build(nowMs)
      if (!body) return null
      const { summary: _, ...sleep } = body.sleep
      return { ...body, sleep: { ...sleep, stages: [], metadata: { mainSleep: true, processed: false } } }
    },
  }
  const later: Version<WireGoogleSleep> = {
    fromMs,
    build(nowMs) {
      const body = whole.build(nowMs)
      return body && { ...body, sleep: { ...body.sleep, updateTime: utc(fromMs) } }
    },
  }
  return { key, versions: [open, withoutStages, later] }
}

const intervalOf = (zone: string, startMs: number, endMs: number) => ({
  startTime: utc(startMs),
  startUtcOffset: offset(zone, startMs),
  endTime: utc(endMs),
  endUtcOffset: offset(zone, endMs),
})

/** Naps and nights with too little signal have no stages. A deleted one is gone. */
function writeSleep(
  sleep: WireOuraSleep,
  { zone, fromMs }: { readonly zone: string; readonly fromMs: number },
): WireGoogleSleep | null {
  if (sleep.type === "deleted") return null
  const [startMs, endMs] = [Date.parse(sleep.bedtime_start), Date.parse(sleep.bedtime_end)]
  const isNight = sleep.type === "long_sleep"
  const hasStages = isNight && sleep.sleep_phase_5_min !== null
  const stages = hasStages
    ? stagesOf(zone, startMs, endMs, sleep.sleep_phase_5_min ?? "")
    : [{ ...intervalOf(zone, startMs, endMs), type: "ASLEEP" }]
  const minutesOf = (types: readonly string[]) =>
    Math.round(
      stages.reduce(
        (sum, stage) =>
          sum + (types.includes(stage.type) ? Date.parse(stage.endTime) - Date.parse(stage.startTime) : 0),
        0,
      ) / MINUTE_MS,
    )
  const found = [...new Set(stages.map(({ type }) => type))]
  return {
    name: nameOf("sleep", numberOf(sleep.id)),
    dataSource: FITBIT,
    sleep: {
      interval: intervalOf(zone, startMs, endMs),
      type: hasStages ? "STAGES" : "CLASSIC",
      stages,
      summary: {
        minutesInSleepPeriod: String(found.reduce((sum, type) => sum + minutesOf([type]), 0)),
        minutesAsleep: String(["LIGHT", "DEEP", "REM", "ASLEEP"].reduce((sum, type) => sum + minutesOf([type]), 0)),
        minutesAwake: String(minutesOf(["AWAKE"])),
        stagesSummary: found.map((type) => ({
          type,
          minutes: String(minutesOf([type])),
          count: String(stages.filter((stage) => stage.type === type).length),
        })),
      },
      metadata: {
        ...(isNight ? { mainSleep: true } : { nap: true }),
        processed: true,
        ...(hasStages && { stagesStatus: "SUCCEEDED" }),
      },
      createTime: utc(endMs),
      updateTime: utc(fromMs),
    },
  }
}

/** Runs of equal stages. */
function stagesOf(zone: string, startMs: number, endMs: number, phases: string): WireStage[] {
  const found: { type: string; fromMs: number; toMs: number }[] = []
  for (const [index, digit] of [...phases].entries()) {
    const fromMs = startMs + index * PHASE_MS
    const toMs = Math.min(fromMs + PHASE_MS, endMs)
    const last = found.at(-1)
    const type = STAGES[digit] ?? "AWAKE"
    if (last?.type === type) last.toMs = toMs
    else if (toMs > fromMs) found.push({ type, fromMs, toMs })
  }
  return found.map(({ type, fromMs, toMs }) => ({ ...intervalOf(zone, fromMs, toMs), type }))
}

export const dailyTypeOf = (text: string): WireDailyType | undefined => DAILY_TYPES.find((type) => type === text)
