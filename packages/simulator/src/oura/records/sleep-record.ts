/** Oura's sleep periods: the night and everything shorter. */
import { clamp, localDay, MINUTE_MS, roundTo } from "../../model/calendar.ts"
import type { Life } from "../../model/life.ts"
import { randomFor } from "../../model/random.ts"
import type { RecordHistory, Version } from "../../world/collection.ts"
import { type RingDay, type RingSleep, ringNight, ringVitals, type ShortSleep, type SleepType } from "./ring.ts"
import { type WireOuraSleep, type WireSeries, writeDay, writeLocal, writeMeta } from "./wire.ts"

/** 18:00: a sleep that ends later belongs to the next day. */
const SLEEP_DAY_ENDS_MINUTE = 18 * 60

/** Returns all versions of the main sleep of a day. A correction of its times is a new analysis; a deletion is a type. */
export function nightHistory(life: Life, ring: RingDay): RecordHistory<WireOuraSleep> {
  const night = ringNight(life, ring.day)
  const { lifecycle, sleepId } = ring
  const isPoor = life.plan(ring.day).signalIsPoor
  const write = (sleep: RingSleep, updatedMs: number, version: number, type: SleepType = "long_sleep") =>
    writeSleep(life, ring, { id: sleepId, sleep, type, updatedMs, version, isPoor })
  const uploadedMs = uploadOf(ring)
  const versions: Version<WireOuraSleep>[] = [{ fromMs: uploadedMs, build: () => write(night, uploadedMs, 1) }]
  const { corrected, deletedMs } = lifecycle
  if (corrected && corrected.atMs > uploadedMs) {
    const moved = { ...night, startMs: wholeSecond(night.startMs + corrected.startShiftMs) }
    const sleep = shorten(moved, (night.endMs - moved.startMs) / (night.endMs - night.startMs))
    versions.push({
      fromMs: corrected.atMs,
      build: () => ({ ...write(sleep, corrected.atMs, 2), sleep_analysis_reason: "bedtime_edit" }),
    })
  }
  if (deletedMs !== undefined && deletedMs > uploadedMs)
    versions.push({ fromMs: deletedMs, build: () => write(night, deletedMs, 2, "deleted") })
  return { key: sleepId, versions }
}

/** Returns all versions of a nap, or of a rest that the ring took for one. */
export function shortSleepHistory(life: Life, ring: RingDay, short: ShortSleep): RecordHistory<WireOuraSleep> {
  const { id, sleep, type, uploadedMs, deletedMs } = short
  const write = (as: SleepType, updatedMs: number, version: number) =>
    writeSleep(life, ring, { id, sleep, type: as, updatedMs, version, isPoor: false })
  const versions: Version<WireOuraSleep>[] = [{ fromMs: uploadedMs, build: () => write(type, uploadedMs, 1) }]
  if (deletedMs !== undefined) versions.push({ fromMs: deletedMs, build: () => write("deleted", deletedMs, 2) })
  return { key: id, versions }
}

/** The first sync after waking brings the night. */
export const uploadOf = (ring: RingDay): number => ring.syncedMs[0] ?? ring.wakeMs

interface SleepVersion {
  readonly id: string
  readonly sleep: RingSleep
  readonly type: SleepType
  readonly updatedMs: number
  readonly version: number
  /** Too little signal: no stages and no vitals. */
  readonly isPoor: boolean
}

function writeSleep(life: Life, ring: RingDay, written: SleepVersion): WireOuraSleep {
  const { id, sleep, type, updatedMs, version, isPoor } = written
  const zone = type === "long_sleep" || type === "deleted" ? ring.nightZone : ring.dayZone
  const vitals = ringVitals(life, ring.day)
  // Oura has no HRV for sleeps that are too short.
  const hasHrv = !isPoor && sleep.endMs - sleep.startMs > 45 * MINUTE_MS
  const known = <T>(value: T) => (isPoor ? null : value)
  const hasMilliseconds = randomFor(life.seed, id, "milliseconds").chance(0.8)
  const asleep = sleep.deepSeconds + sleep.remSeconds + sleep.lightSeconds
  return {
    id,
    meta: writeMeta(updatedMs, version),
    average_breath: known(vitals.breathsPerMinute),
    average_heart_rate: known(vitals.averageHeartRate),
    average_hrv: hasHrv ? vitals.hrvRmssdMs : null,
    awake_time: known(sleep.awakeSeconds),
    bedtime_start: writeLocal(zone, sleep.startMs, hasMilliseconds),
    bedtime_end: writeLocal(zone, sleep.endMs, hasMilliseconds),
    day: writeDay(sleepDay(zone, sleep.endMs)),
    deep_sleep_duration: known(sleep.deepSeconds),
    rem_sleep_duration: known(sleep.remSeconds),
    light_sleep_duration: known(sleep.lightSeconds),
    total_sleep_duration: known(asleep),
    time_in_bed: Math.round((sleep.endMs - sleep.startMs) / 1000),
    latency: known(sleep.latencySeconds),
    efficiency: known(sleep.efficiencyPercent),
    restless_periods: known(Math.round(asleep / 130)),
    lowest_heart_rate: known(vitals.lowestHeartRate),
    heart_rate: known(seriesOf(life, ring, sleep, zone, vitals.averageHeartRate)),
    hrv: hasHrv ? seriesOf(life, ring, sleep, zone, vitals.hrvRmssdMs) : null,
    movement_30_sec: known("1".repeat(Math.ceil((sleep.endMs - sleep.startMs) / 30_000))),
    sleep_phase_5_min: known(sleep.phases),
    low_battery_alert: false,
    period: type === "long_sleep" ? 0 : 1,
    readiness: null,
    readiness_score_delta: null,
    sleep_score_delta: null,
    sleep_algorithm_version: "v2",
    sleep_analysis_reason: "foreground_sleep_analysis",
    type,
    ring_id: "sim-ring",
  }
}

/** Returns the day a sleep belongs to: from 18:00 to 18:00 local. */
function sleepDay(zone: string, endMs: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(endMs).toZonedDateTimeISO(zone)
  return localDay(zone, endMs) + (local.hour * 60 + local.minute >= SLEEP_DAY_ENDS_MINUTE ? 1 : 0)
}

function seriesOf(life: Life, ring: RingDay, sleep: RingSleep, zone: string, level: number): WireSeries {
  const random = randomFor(life.seed, "ring series", ring.day, sleep.startMs)
  return {
    interval: 300,
    items: [...sleep.phases].map((_, index) =>
      index === 0 ? null : roundTo(level + random.normal(0, level * 0.06), 0),
    ),
    timestamp: writeLocal(zone, sleep.startMs),
  }
}

/** Returns a sleep with other ends and the same proportions. */
function shorten(sleep: RingSleep, scale: number): RingSleep {
  const part = (seconds: number) => Math.round(seconds * scale)
  return {
    ...sleep,
    phases: sleep.phases.slice(0, Math.max(1, Math.ceil(sleep.phases.length * clamp(scale, 0, 1)))),
    deepSeconds: part(sleep.deepSeconds),
    remSeconds: part(sleep.remSeconds),
    lightSeconds: part(sleep.lightSeconds),
    awakeSeconds: part(sleep.awakeSeconds),
  }
}

const wholeSecond = (instantMs: number): number => Math.round(instantMs / 1000) * 1000
