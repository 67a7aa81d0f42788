// From the rows of Garmin's archive to the normalised records. Pure. It alone converts units: archive.ts finds that of energies.

import type { ScoreState } from "@restwell/client"
import { MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import type { Offsets } from "../archive/offsets.ts"
import type { Json, NormalizedProfile, SleepCourse, SleepPhase, ZoneDurations } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { localDateOf, phasedShare } from "../normalize/derive.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import { contributorsOfReadiness, contributorsOfSleep } from "./contributors.ts"
import { type Day, dayPrecedence, lastOf, timesOfDay } from "./day-times.ts"
import {
  type ActivityRow,
  type BodyRow,
  CENTIMETRES,
  type DayRow,
  dateOf,
  GRAMS,
  type HealthRow,
  instantOf,
  isKnown,
  isLater,
  NOT_MEASURED,
  offsetBetween,
  type ReadinessRow,
  type SleepRow,
} from "./wire.ts"

const GARMIN = "garmin"

const ids = (providerId: string) => ({ id: `${GARMIN}-${providerId}`, providerId })

type Maybe<Value> = Value | null | undefined

/** In a larger unit. Dividing gives 80.1 kg, where multiplying by a thousandth gives 80.10000000000001. */
const divided = (value: Maybe<number>, divisor: number): number | undefined =>
  isKnown(value) ? value / divisor : undefined
const millisecondsOf = (seconds: Maybe<number>): number | undefined =>
  isKnown(seconds) ? seconds * SECOND_MS : undefined
const positive = (value: Maybe<number>): number | undefined =>
  isKnown(value) && !NOT_MEASURED.includes(value) ? value : undefined

/** What was read of the rows, as JSON has it. */
const rawOf = (rows: object): Json => JSON.parse(JSON.stringify(rows))

/** A night with its times and stages. */
export interface Night {
  readonly row: SleepRow
  readonly date: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly asleepSeconds: number
  readonly stageMs: Readonly<Record<SleepPhase, number | undefined>>
}

/** Returns a night that was measured. Others are default windows of the app: the watch was not worn, or there are no stages. */
export function nightOf(row: SleepRow): Night | undefined {
  const { sleepStartTimestampGMT: start, sleepEndTimestampGMT: end, sleepWindowConfirmationType: type } = row
  const stages = [row.deepSleepSeconds, row.lightSleepSeconds, row.remSleepSeconds].filter(isKnown)
  const asleepSeconds = stages.reduce((sum, seconds) => sum + seconds, 0)
  if (type === "OFF_WRIST" || asleepSeconds === 0 || !isKnown(start) || !isKnown(end)) return undefined
  const date = dateOf(row.calendarDate)
  const stageMs = {
    light: millisecondsOf(row.lightSleepSeconds),
    deep: millisecondsOf(row.deepSleepSeconds),
    rem: millisecondsOf(row.remSleepSeconds),
    awake: millisecondsOf(row.awakeSleepSeconds),
  }
  return { row, date, startedAt: instantOf(start), endedAt: instantOf(end), asleepSeconds, stageMs }
}

/** True if a night replaces another one of its date: the longer asleep, then the one that ends later. */
export const isBetterNight = (one: Night, other: Night): boolean =>
  one.asleepSeconds > other.asleepSeconds || (one.asleepSeconds === other.asleepSeconds && one.endedAt > other.endedAt)

/** Epoch milliseconds as a fraction of a second of sleep: it decides between nights of equal length. */
const LATER = 1e14

interface NightRows {
  readonly health: HealthRow | undefined
  /** From FIT. */
  readonly course: SleepCourse | undefined
  readonly offsets: Offsets
}

export function normalizeNight(
  { row, date, startedAt, endedAt, asleepSeconds, stageMs }: Night,
  { health, course, offsets }: NightRows,
) {
  const respiratoryRatePerMinute = healthValue(health, "RESPIRATION") ?? positive(row.averageRespiration)
  const { light: lightMs, deep: deepMs, rem: remMs, awake: awakeMs } = stageMs
  const measured = lightMs !== undefined && deepMs !== undefined && awakeMs !== undefined
  const stages = measured ? { lightMs, deepMs, ...known({ remMs }), awakeMs } : undefined
  const sleep = sleepOf(date, { date, startedAt, endedAt, offsets }, "scored")
  const archived: ArchivedRecord = {
    ...sleep,
    date,
    // An archive with the FIT files has more of a night than one without them.
    precedence: asleepSeconds + endedAt.getTime() / LATER + phasedShare(course) / 2,
    record: {
      ...sleep.record,
      raw: rawOf({ ...row, health }),
      // Without the time awake, the time asleep is all that is known. Without light or deep sleep, it is not known either.
      ...(!measured && lightMs !== undefined && deepMs !== undefined && { asleepMs: asleepSeconds * SECOND_MS }),
      ...known({
        scorePercent: row.sleepScores?.overallScore,
        respiratoryRatePerMinute,
        timesAwake: isKnown(row.awakeCount) && row.awakeCount >= 0 ? row.awakeCount : undefined,
        contributors: contributorsOfSleep(row.sleepScores),
        stages,
        course,
      }),
    },
  }
  return archived
}

/** The naps of a row. They are real also beside a default window. */
export const normalizeNaps = (row: SleepRow, offsets: Offsets) =>
  (row.napList ?? []).filter(isKnown).map((nap) => {
    const [startedAt, endedAt] = [instantOf(nap.napStartTimestampGMT), instantOf(nap.napEndTimestampGMT)]
    const id = `nap-${startedAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`
    const sleep = sleepOf(id, { date: dateOf(row.calendarDate), startedAt, endedAt, offsets }, "unscorable")
    return { ...sleep, record: { ...sleep.record, raw: rawOf(nap), isNap: true } }
  })

interface SleepTimes {
  readonly date: string
  readonly startedAt: Date
  readonly endedAt: Date
  readonly offsets: Offsets
}

function sleepOf(providerId: string, { date, startedAt, endedAt, offsets }: SleepTimes, scoreState: ScoreState) {
  const [startUtcOffsetMinutes = 0, endUtcOffsetMinutes = 0] = offsets.of(date, [startedAt, endedAt])
  return {
    startedAt,
    utcOffsetMinutes: endUtcOffsetMinutes,
    date: localDateOf(endedAt, endUtcOffsetMinutes),
    record: {
      kind: "sleep" as const,
      providerId,
      updatedMs: endedAt.getTime(),
      scoreState,
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes: endUtcOffsetMinutes,
      startUtcOffsetMinutes,
      endUtcOffsetMinutes,
      isNap: false,
      durationMs: endedAt.getTime() - startedAt.getTime(),
      raw: null,
    },
  }
}

const AFTER_WAKING = "AFTER_WAKEUP_RESET"

/** True if a readiness replaces another one of its date: that after waking counts, then the latest. */
export function isBetterReadiness(one: ReadinessRow, other: ReadinessRow | undefined): boolean {
  if (!isKnown(one.score)) return false
  if (!other) return true
  const [isAfter, otherIsAfter] = [one.inputContext === AFTER_WAKING, other.inputContext === AFTER_WAKING]
  return isAfter === otherIsAfter ? isLater(one.timestamp, other.timestamp) : isAfter
}

/** What a recovery of a date is made of. */
export interface RecoveryRows {
  readonly date: string
  readonly night: Night | undefined
  readonly day: DayRow | undefined
  readonly health: HealthRow | undefined
  readonly readiness: ReadinessRow | undefined
  /** From FIT, milliseconds. */
  readonly averageHrv: number | undefined
  readonly offsets: Offsets
  /** The date where the person is. */
  readonly today: string
}

/** Returns the recovery of a date. Undefined without HRV, resting heart rate and readiness. */
export function normalizeRecovery(rows: RecoveryRows): ArchivedRecord | undefined {
  const { date, night, day, health, readiness, averageHrv, offsets, today } = rows
  const hrvMs = healthValue(health, "HRV") ?? averageHrv
  const restingHeartRateBpm = positive(day?.restingHeartRate)
  const scorePercent = readiness?.score ?? undefined
  if (hrvMs === undefined && restingHeartRateBpm === undefined && scorePercent === undefined) return undefined
  const spo2Percent = healthValue(health, "SPO2") ?? positive(night?.row.spo2SleepSummary?.averageSPO2)
  const skinTempDeviationCelsius = healthValue(health, "SKIN_TEMP_C")
  const figures = known({ scorePercent, hrvMs, restingHeartRateBpm, spo2Percent, skinTempDeviationCelsius })
  const startedAt = night?.startedAt ?? new Date(`${date}T00:00:00Z`)
  const createdAt = night?.endedAt ?? startedAt
  const [utcOffsetMinutes = 0] = offsets.of(date, [createdAt])
  const raw = {
    health,
    readiness,
    ...known({ restingHeartRate: restingHeartRateBpm, averageHrv }),
    spo2: night?.row.spo2SleepSummary,
  }
  return {
    date,
    startedAt,
    utcOffsetMinutes,
    // Garmin thins older days, so the archive that has the most figures counts.
    precedence: Object.keys(figures).length,
    record: {
      kind: "recovery",
      providerId: date,
      updatedMs: createdAt.getTime(),
      scoreState: scorePercent !== undefined ? "scored" : date >= today ? "pending" : "unscorable",
      raw: rawOf(raw),
      createdMs: createdAt.getTime(),
      ...known({
        sleepProviderId: night && date,
        cycleProviderId: day && date,
        contributors: contributorsOfReadiness(readiness),
      }),
      ...figures,
    },
  }
}

/** States of a figure that has no value, although one is written. */
const WITHOUT_VALUE: ReadonlySet<string> = new Set(["UNKNOWN", "ONBOARDING", "NO_DATA"])

function healthValue(row: HealthRow | undefined, type: string): number | undefined {
  const metric = row?.metrics.find((each) => each.type === type)
  if (!metric || WITHOUT_VALUE.has(metric.status ?? "")) return undefined
  return type === "SKIN_TEMP_C" ? (metric.value ?? undefined) : positive(metric.value)
}

export function normalizeDay(day: Day, offsets: Offsets, now: Date): ArchivedRecord {
  const { row, date } = day
  const { startedAt, endedAt } = timesOfDay(day, offsets)
  const isOver = day.end !== undefined || endedAt <= now
  const [startUtcOffsetMinutes = 0, endUtcOffsetMinutes = 0] = offsets.of(date, [startedAt, endedAt])
  return {
    startedAt,
    utcOffsetMinutes: startUtcOffsetMinutes,
    date,
    precedence: dayPrecedence(day),
    record: {
      kind: "cycle",
      providerId: date,
      updatedMs: lastOf(day).getTime(),
      scoreState: isKnown(row.totalKilocalories) || isKnown(row.totalSteps) ? "scored" : "unscorable",
      raw: rawOf(row),
      startMs: startedAt.getTime(),
      endMs: isOver ? endedAt.getTime() : null,
      utcOffsetMinutes: startUtcOffsetMinutes,
      startUtcOffsetMinutes,
      endUtcOffsetMinutes,
      ...known({
        averageHeartRateBpm: positive(row.averageHeartRate),
        maxHeartRateBpm: positive(row.maxHeartRate),
        energyKcal: row.totalKilocalories,
        activeEnergyKcal: row.activeKilocalories,
        steps: row.totalSteps,
        distanceMeters: row.totalDistanceMeters,
      }),
    },
  }
}

/** The start of an activity and its length, milliseconds. Undefined without one of them. */
export function timesOf({ startTimeGmt, beginTimestamp, elapsedDuration, duration }: ActivityRow) {
  const start = startTimeGmt ?? beginTimestamp
  const lengthMs = elapsedDuration ?? duration
  return isKnown(start) && isKnown(lengthMs) ? { startedAt: instantOf(start), lengthMs } : undefined
}

/** Returns a workout. Undefined without a start or a length. */
export function normalizeActivity(row: ActivityRow, divisor: number, offsets: Offsets): ArchivedRecord | undefined {
  const found = timesOf(row)
  if (!found) return undefined
  const { startedAt, lengthMs: durationMs } = found
  const endedAt = new Date(startedAt.getTime() + durationMs)
  const own = offsetBetween(row.startTimeLocal, startedAt.getTime())
  const [start = 0, end = 0] =
    own === undefined ? offsets.of(localDateOf(startedAt, 0), [startedAt, endedAt]) : [own, own]
  return {
    startedAt,
    utcOffsetMinutes: start,
    date: localDateOf(startedAt, start),
    record: {
      kind: "workout",
      providerId: row.activityId,
      updatedMs: endedAt.getTime(),
      scoreState: "scored",
      raw: rawOf(row),
      startMs: startedAt.getTime(),
      endMs: endedAt.getTime(),
      utcOffsetMinutes: start,
      startUtcOffsetMinutes: start,
      endUtcOffsetMinutes: end,
      durationMs,
      sportType: sportTypeOf(row.activityType ?? row.sportType ?? ""),
      countsAsWorkout: true,
      ...known({
        averageHeartRateBpm: positive(row.avgHr),
        maxHeartRateBpm: positive(row.maxHr),
        energyKcal: divided(row.calories, divisor),
        distanceMeters: divided(row.distance, CENTIMETRES),
        zones: zonesOf(row, durationMs),
      }),
    },
  }
}

/** Zone 0 is below zone 1. What lies above zone 5 counts as zone 5. */
function zonesOf(row: ActivityRow, durationMs: number): ZoneDurations | undefined {
  const { hrTimeInZone_1: zone1Ms, hrTimeInZone_2: zone2Ms, hrTimeInZone_3: zone3Ms } = row
  const { hrTimeInZone_4: zone4Ms, hrTimeInZone_5: zone5Ms } = row
  if (!isKnown(zone1Ms) || !isKnown(zone2Ms) || !isKnown(zone3Ms) || !isKnown(zone4Ms) || !isKnown(zone5Ms))
    return undefined
  const above = row.hrTimeInZone_6 ?? 0
  const rest = Math.max(0, durationMs - zone1Ms - zone2Ms - zone3Ms - zone4Ms - zone5Ms - above)
  return { zone0Ms: row.hrTimeInZone_0 ?? rest, zone1Ms, zone2Ms, zone3Ms, zone4Ms, zone5Ms: zone5Ms + above }
}

/** True for a part of an activity of several sports. The whole is an activity of its own. */
export const isPart = ({ parentId }: ActivityRow): boolean => isKnown(parentId) && parentId !== 0 && parentId !== ""

/** True if a row of a day replaces another one: the highest version that has a weight counts. */
export const isBetterWeight = (one: BodyRow, other: BodyRow | undefined): boolean =>
  positive(one.weight?.weight) !== undefined && (!other || (one.version ?? 0) > (other.version ?? 0))

/** True for a row with a height that is newer than another one. */
export const isNewerHeight = (one: BodyRow, other: BodyRow | undefined): boolean =>
  positive(one.height) !== undefined &&
  (!other || dateOf(one.metaData.calendarDate) >= dateOf(other.metaData.calendarDate))

/** The oxygen uptake of a row. Of two sports it is that of running, which Garmin shows first. */
const oxygenUptakeOf = ({ vo2MaxRunning, vo2Max, vo2MaxCycling }: BodyRow): number | undefined =>
  positive(vo2MaxRunning) ?? positive(vo2Max) ?? positive(vo2MaxCycling)

/** True for a row with an oxygen uptake that replaces another one of its date. */
export const isBetterUptake = (one: BodyRow, other: BodyRow | undefined): boolean =>
  oxygenUptakeOf(one) !== undefined && (!other || (one.version ?? 0) > (other.version ?? 0))

/** An oxygen uptake in ml/kg/min, at noon. */
export function uptakeOf(row: BodyRow, offsets: Offsets): Sample {
  const date = dateOf(row.metaData.calendarDate)
  return { ...atNoon(date, offsets), value: oxygenUptakeOf(row) ?? Number.NaN }
}

function atNoon(date: string, offsets: Offsets): Omit<Sample, "value"> {
  const at = new Date(`${date}T12:00:00Z`)
  const [utcOffsetMinutes = 0] = offsets.of(date, [at])
  return { atMs: at.getTime() - utcOffsetMinutes * MINUTE_MS, utcOffsetMinutes }
}

/** A weight in kilograms. Without a time it is at noon. */
export function weightOf(row: BodyRow, offsets: Offsets): Sample {
  const date = dateOf(row.metaData.calendarDate)
  const time = row.weight?.timestampGMT
  const value = (row.weight?.weight ?? Number.NaN) / GRAMS
  if (!isKnown(time)) return { ...atNoon(date, offsets), value }
  const at = instantOf(time)
  const [utcOffsetMinutes = 0] = offsets.of(date, [at])
  return { atMs: at.getTime(), value, utcOffsetMinutes }
}

/** The newest height and weight, as far as they are known. */
export function normalizeProfile(
  height: BodyRow | undefined,
  weight: BodyRow | undefined,
): NormalizedProfile | undefined {
  const body = knownOrNone({
    heightMeters: divided(height?.height, CENTIMETRES),
    weightKilograms: divided(weight?.weight?.weight, GRAMS),
  })
  return body && { data: { ...ids("profile"), body }, raw: rawOf({ height, weight }) }
}
