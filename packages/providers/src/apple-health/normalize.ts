// From what a collector's devices measured to the normalised records: pure.

import { type HrvMethod, SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import type { ArchivedRecord } from "../archive/archive-items.ts"
import { isOfStrava, type Json, type NormalizedRecord, type SleepPhase } from "../contract/records.ts"
import { courseOf, type PhaseSpan } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { sportTypeOf } from "../normalize/vocabulary.ts"
import type { ChosenSleep } from "./sleep.ts"
import type { Zones } from "./zones.ts"

/** A workout of a collector. Missing figures stay missing. */
export interface CollectedWorkout {
  readonly device: string
  readonly startMs: number
  readonly endMs: number
  /** Without pauses. @default from start to end */
  readonly durationMs?: number | undefined
  /** Name of the sport in the words of the collector. */
  readonly sport: string
  /** Beats per minute. */
  readonly averageHeartRate?: number | undefined
  readonly maxHeartRate?: number | undefined
  /** Kilocalories. */
  readonly calories?: number | undefined
  readonly distanceMeters?: number | undefined
  /** What was read of it. */
  readonly raw: Json
}

/** What the figures of a workout become, by which it is known what can be true of them. */
export const WORKOUT_FIELDS = {
  durationMs: "durationMs",
  averageHeartRate: "averageHeartRateBpm",
  maxHeartRate: "maxHeartRateBpm",
  calories: "energyKcal",
  distanceMeters: "distanceMeters",
} as const satisfies Readonly<Partial<Record<keyof CollectedWorkout, string>>>
export type WorkoutField = keyof typeof WORKOUT_FIELDS

/** A value of a date, and the device that measured it. */
export interface DeviceValue {
  readonly device: string
  readonly value: number
}

/** A mean of a sleep. */
export interface DeviceMean extends DeviceValue {
  /** Number of values. */
  readonly count: number
}

/** The figures of a recovery. */
export interface RecoveryFigures {
  readonly hrv: (DeviceMean & { readonly method: HrvMethod }) | undefined
  readonly restingHeartRate: DeviceValue | undefined
  readonly spo2: DeviceMean | undefined
  readonly skinTempCelsius: DeviceValue | undefined
  readonly skinTempDeviationCelsius: DeviceValue | undefined
}

/** Sums of a civil day. */
export interface DayFigures {
  readonly steps: DeviceValue | undefined
  readonly active: DeviceValue | undefined
  readonly resting: DeviceValue | undefined
  readonly distance: DeviceValue | undefined
  /** All energy, of a collector that has it as one figure. */
  readonly total: DeviceValue | undefined
}

/** A push need not name its device. */
const named = (device: string | undefined) => (device ? { device } : {})

interface RecordOptions {
  readonly zones: Zones
  /** Decides which day is not over. */
  readonly now: Date
  /** Whether a date without HRV and resting heart rate has a recovery of what else was measured. */
  readonly hasPartialRecoveries: boolean
}

/** Records of one source. */
export class RecordMaker {
  readonly #zones: Zones
  readonly #now: Date
  readonly #hasPartialRecoveries: boolean

  constructor({ zones, now, hasPartialRecoveries }: RecordOptions) {
    this.#zones = zones
    this.#now = now
    this.#hasPartialRecoveries = hasPartialRecoveries
  }

  /** @param isMain true for the longest night of its date, whose id is the date: it stays the same when a later export has more of it */
  sleep(sleep: ChosenSleep, { isMain, respiratoryRate }: { isMain: boolean; respiratoryRate: number | undefined }) {
    const { device, date, isNap, startMs, endMs, asleepMs, hasStages, ms, segments } = sleep
    const providerId = isMain ? date : `${isNap ? "nap" : "night"}-${compact(startMs)}`
    const durationMs = endMs - startMs
    // Sleep without a stage in a night with stages counts as light.
    const stages = hasStages
      ? { lightMs: ms.light + ms.asleep, deepMs: ms.deep, remMs: ms.rem, awakeMs: ms.awake }
      : undefined
    const efficiencyPercent = asleepMs > 0 && durationMs > 0 ? (asleepMs / durationMs) * 100 : undefined
    return this.#timed(providerId, sleep, date, {
      precedence: asleepMs + durationMs / LATER,
      utcOffset: "end",
      record: (envelope) => ({
        kind: "sleep",
        ...envelope,
        scoreState: asleepMs > 0 ? "scored" : "unscorable",
        raw: { device, segments: segments.length, milliseconds: { ...ms } },
        endMs,
        ...named(device),
        isNap,
        durationMs,
        ...(!hasStages && asleepMs > 0 && { asleepMs }),
        ...known({
          efficiencyPercent,
          respiratoryRatePerMinute: respiratoryRate,
          stages,
          course: hasStages ? courseOf(phasesOf(segments), sleep) : undefined,
        }),
        samples: [
          {
            type: "sleep_stages",
            device,
            samples: segments.map((segment) => ({
              atMs: segment.startMs,
              value: segment.value,
              durationMs: segment.endMs - segment.startMs,
            })),
          },
        ],
      }),
    })
  }

  /** @param sleep the times of the night of the date */
  recovery(
    date: string,
    figures: RecoveryFigures,
    sleep: Pick<ChosenSleep, "device" | "startMs" | "endMs"> | undefined,
  ): ArchivedRecord | undefined {
    const { hrv, restingHeartRate, spo2, skinTempCelsius, skinTempDeviationCelsius } = figures
    const most = hrv ?? restingHeartRate
    const any = most ?? spo2 ?? skinTempCelsius ?? skinTempDeviationCelsius
    const answering = this.#hasPartialRecoveries ? any : most
    if (!answering) return undefined
    const startMs = sleep?.startMs ?? this.#zones.midnightOf(date)
    const createdMs = sleep?.endMs ?? startMs
    const { device } = answering
    return {
      date,
      startedAt: new Date(startMs),
      utcOffsetMinutes: this.#zones.offsetAt(createdMs, sleep?.device),
      precedence:
        [hrv, restingHeartRate, spo2, skinTempCelsius, skinTempDeviationCelsius].filter((each) => each !== undefined)
          .length +
        ((hrv?.count ?? 0) + (spo2?.count ?? 0)) / MOST_VALUES,
      record: {
        kind: "recovery",
        providerId: date,
        updatedMs: createdMs,
        // A collector has no score, and its figures are final.
        scoreState: "scored",
        raw: JSON.parse(JSON.stringify(figures)),
        createdMs,
        ...named(device),
        ...known({
          sleepProviderId: sleep && date,
          cycleProviderId: date,
          hrvMs: hrv?.value,
          hrvMethod: hrv?.method,
          restingHeartRateBpm: restingHeartRate?.value,
          spo2Percent: spo2?.value,
          skinTempCelsius: skinTempCelsius?.value,
          skinTempDeviationCelsius: skinTempDeviationCelsius?.value,
        }),
      },
    }
  }

  /** A civil day. Undefined without any figure. */
  day(date: string, figures: DayFigures): ArchivedRecord | undefined {
    const { steps, active, resting, distance, total } = figures
    const most = steps ?? active ?? distance ?? total
    if (!most) return undefined
    const [startMs, endMs] = [this.#zones.midnightOf(date), this.#zones.midnightOf(addDays(date, 1))]
    const isOver = endMs <= this.#now.getTime()
    const energyKcal = total?.value ?? (active && resting ? active.value + resting.value : undefined)
    return this.#timed(date, { startMs, endMs: isOver ? endMs : null }, date, {
      // What is counted is that of all imports together. Energy at rest is of one.
      precedence: resting?.value ?? 0,
      utcOffset: "start",
      record: (envelope) => ({
        kind: "cycle",
        ...envelope,
        scoreState: "scored",
        raw: JSON.parse(JSON.stringify(figures)),
        endMs: isOver ? endMs : null,
        ...named(most.device),
        ...known({
          energyKcal,
          activeEnergyKcal: active?.value,
          restingEnergyKcal: resting?.value,
          steps: steps && Math.round(steps.value),
          distanceMeters: distance?.value,
        }),
      }),
    })
  }

  workout(workout: CollectedWorkout): ArchivedRecord {
    const { device, startMs, endMs, durationMs = endMs - startMs, sport, raw } = workout
    const { averageHeartRate, maxHeartRate, calories, distanceMeters } = workout
    const providerId = `workout-${compact(startMs)}`
    return this.#timed(providerId, workout, this.#zones.dateAt(startMs, device), {
      precedence: Object.values(workout).filter((value) => value !== undefined).length,
      utcOffset: "start",
      record: (envelope) => ({
        kind: "workout",
        ...envelope,
        scoreState: "scored",
        raw,
        endMs,
        ...named(device),
        ...(isOfStrava(device) && { assistants: false as const }),
        durationMs,
        sportType: sportTypeOf(sport),
        countsAsWorkout: true,
        ...known({
          averageHeartRateBpm: averageHeartRate,
          maxHeartRateBpm: maxHeartRate,
          energyKcal: calories,
          distanceMeters,
        }),
      }),
    })
  }

  #timed(
    providerId: string,
    { device, startMs, endMs }: RecordTimes,
    date: string,
    { precedence, utcOffset, record }: TimedParts,
  ): ArchivedRecord {
    const startUtcOffsetMinutes = this.#zones.offsetAt(startMs, device)
    const endUtcOffsetMinutes = this.#zones.offsetAt(endMs ?? startMs, device)
    const utcOffsetMinutes = utcOffset === "start" ? startUtcOffsetMinutes : endUtcOffsetMinutes
    const times = { startMs, utcOffsetMinutes, startUtcOffsetMinutes, endUtcOffsetMinutes }
    return {
      date,
      startedAt: new Date(startMs),
      utcOffsetMinutes,
      precedence,
      record: record({ providerId, updatedMs: endMs ?? startMs, ...times }),
    }
  }
}

interface RecordTimes {
  /** Without it the offsets are those of the zone. */
  readonly device?: string
  readonly startMs: number
  readonly endMs: number | null
}

interface TimedParts {
  readonly precedence: number
  /** Which offset decides the date. */
  readonly utcOffset: "start" | "end"
  readonly record: (envelope: {
    readonly providerId: string
    readonly updatedMs: number
    readonly startMs: number
    readonly utcOffsetMinutes: number
    readonly startUtcOffsetMinutes: number
    readonly endUtcOffsetMinutes: number
  }) => NormalizedRecord
}

const PHASES: Readonly<Partial<Record<SleepStage, SleepPhase>>> = {
  awake: "awake",
  light: "light",
  deep: "deep",
  rem: "rem",
  asleep: "light",
}

/** Time in bed is no phase. */
function phasesOf(segments: ChosenSleep["segments"]): PhaseSpan[] {
  return segments.flatMap(({ startMs, endMs, value }) => {
    const stage = SLEEP_STAGES[value]
    const phase = stage && PHASES[stage]
    return phase ? [{ phase, startMs, endMs }] : []
  })
}

/** The length as a fraction of a millisecond of sleep: it decides between nights of equal sleep. */
const LATER = 1e10
/** More measurements than a night has, and more kilocalories than a day. */
const MOST_VALUES = 1e6

const iso = (ms: number): string => new Date(ms).toISOString()
/** `20261118T223105Z` */
const compact = (ms: number): string => `${iso(ms).slice(0, 19).replaceAll(/[-:]/g, "")}Z`
