/* Devices that measure the same life, each with its own noise, gaps and fields, as adapters normalise what they send. */
import type {
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
} from "@restwell/providers"
import type { Dice } from "./dice.ts"
import { DAY_MS, HOUR_MS, type LivedDay, MINUTE_MS, type Span } from "./lives.ts"

type ScoreState = NormalizedRecord["scoreState"]

export interface Device {
  readonly provider: string
  /** Nights it is worn, out of 100. */
  readonly worn: number
  /** Nights with stages, out of 100. */
  readonly staged: number
  /** Recoveries with a score, out of 100. */
  readonly scored: number
  /** Days with strain, out of 100. */
  readonly strained: number
  /** Deviations of the temperature are the vendor's own. */
  readonly ownDeviation: boolean
  /** The hour at which its days begin. Undefined: with the night. */
  readonly dayBegins: number | undefined
  /** Knows the offset at the start and at the end. */
  readonly bothOffsets: boolean
}

const BASE = { worn: 88, staged: 90, scored: 90, strained: 0, ownDeviation: false, bothOffsets: false }

export const DEVICES = {
  whoop: { ...BASE, provider: "whoop", strained: 92, dayBegins: undefined },
  oura: { ...BASE, provider: "oura", ownDeviation: true, dayBegins: 4, bothOffsets: true },
  apple_health: { ...BASE, provider: "apple_health", staged: 60, scored: 0, dayBegins: 0 },
  garmin: { ...BASE, provider: "garmin", ownDeviation: true, dayBegins: 0 },
  google_health: { ...BASE, provider: "google_health", staged: 80, scored: 60, dayBegins: 0 },
  polar: { ...BASE, provider: "polar", worn: 70, staged: 70, strained: 50, dayBegins: 0, bothOffsets: true },
} as const satisfies Record<string, Device>

/** Measures days with a device. Ids name the day, so that a second measurement is another version of the same record. */
export class Measurement {
  readonly #dice: Dice
  readonly #device: Device
  readonly #now: Date

  constructor(dice: Dice, device: Device, now: Date) {
    this.#dice = dice
    this.#device = device
    this.#now = now
  }

  of(day: LivedDay): NormalizedRecord[] {
    const dice = this.#dice
    const name = String(Math.round(day.midnightMs / HOUR_MS))
    const nights = dice.percent(this.#device.worn)
      ? day.nights.map((span, index) => this.#sleep(`n${name}-${index}`, day, span, false))
      : []
    const naps = day.naps
      .filter(() => dice.percent(80))
      .flatMap((span) => this.#activities(span))
      .map((span, index) => this.#sleep(`p${name}-${index}`, day, span, true))
    const workouts = day.workouts
      .filter(() => dice.percent(80))
      .flatMap((span) => this.#activities(span))
      .map((span, index) => this.#workout(`w${name}-${index}`, day, span))
    const [night] = nights
    const cycle = dice.percent(94) ? [this.#cycle(`c${name}`, day, night)] : []
    const recovery = night && dice.percent(94) ? [this.#recovery(`c${name}`, night)] : []
    const isPast = ({ startMs }: { startMs: number }) => startMs <= this.#now.getTime()
    return [...nights, ...naps, ...workouts, ...cycle.filter(isPast), ...recovery]
  }

  /** A quarter of an hour either way, to the millisecond, so that no two records start together. */
  #noisy({ startMs, endMs }: Span): Span {
    const shift = () => this.#dice.between(-12 * MINUTE_MS, 12 * MINUTE_MS)
    return { startMs: startMs + shift(), endMs: Math.max(endMs + shift(), startMs + 15 * MINUTE_MS) }
  }

  /** One activity as it was, at the edge of what counts as the same, in two parts, or with noise. */
  #activities(span: Span): Span[] {
    const dice = this.#dice
    const lengthMs = span.endMs - span.startMs
    const shifted = (byMs: number) => [{ startMs: span.startMs + byMs, endMs: span.endMs + byMs }]
    switch (dice.below(9)) {
      case 0:
        return [span]
      case 1:
        return shifted((lengthMs * 2) / 5)
      case 2:
        return shifted((lengthMs * 2) / 5 + 1)
      case 3:
        return [
          { startMs: span.startMs, endMs: span.startMs + lengthMs * 0.4 },
          { startMs: span.startMs + lengthMs * 0.5, endMs: span.endMs },
        ]
      case 4:
        return shifted(dice.between(-lengthMs, lengthMs))
      default:
        return [this.#noisy(span)]
    }
  }

  #envelope(kind: string, id: string, isScored: boolean) {
    const providerId = `${kind}-${id}`
    const unscored: ScoreState = this.#dice.percent(50) ? "pending" : "unscorable"
    const scoreState = isScored ? ("scored" as const) : unscored
    return { providerId, updatedMs: this.#now.getTime(), scoreState, raw: {} }
  }

  #offsets(day: LivedDay) {
    return this.#device.bothOffsets
      ? { startUtcOffsetMinutes: day.offsetBefore, endUtcOffsetMinutes: day.offset }
      : undefined
  }

  #sleep(id: string, day: LivedDay, span: Span, isNap: boolean): NormalizedSleep {
    const dice = this.#dice
    const { startMs, endMs } = whole(isNap ? span : this.#noisy(span))
    const staged = dice.percent(this.#device.staged)
    const common = this.#envelope("sleep", id, staged || dice.percent(20))
    const part = (share: number) => Math.round(((endMs - startMs) * share * dice.between(50, 100)) / 18_000_0) * 1800
    const isScored = common.scoreState === "scored"
    return {
      ...common,
      kind: "sleep",
      startMs,
      endMs,
      utcOffsetMinutes: day.offset,
      ...this.#offsets(day),
      ...(!isNap && { cycleProviderId: `cycle-c${id.slice(1).split("-")[0]}` }),
      ...(isScored && dice.percent(60) && { consistencyPercent: dice.between(40, 100, 0.05) }),
      // Oura gives no need.
      ...(isScored && !this.#device.bothOffsets && { needMs: dice.between(5 * HOUR_MS, 11 * HOUR_MS, 1800) }),
      durationMs: isScored ? dice.between(endMs - startMs, endMs - startMs + 18_000, 1800) : endMs - startMs,
      isNap,
      ...(isScored && dice.percent(70) && { scorePercent: dice.between(40, 100, 0.05) }),
      ...(staged && { stages: { lightMs: part(0.5), deepMs: part(0.2), remMs: part(0.2), awakeMs: part(0.1) } }),
      ...(isScored && {
        efficiencyPercent: dice.between(70, 99, 0.05),
        respiratoryRatePerMinute: dice.between(12, 18, 0.05),
        ...(dice.percent(60) && { timesAwake: dice.below(12) }),
        ...(dice.percent(60) && {
          contributors: [{ name: "deep_sleep", value: dice.between(0, 100, 0.05), unit: null }],
        }),
        ...(dice.percent(60) && { latencyMs: dice.between(0, 3_600_000, 1500) }),
      }),
    }
  }

  #recovery(id: string, night: NormalizedSleep): NormalizedRecovery {
    const dice = this.#dice
    const hasScore = dice.percent(this.#device.scored)
    const common = this.#envelope("cycle", id, hasScore || (this.#device.scored === 0 && dice.percent(90)))
    const { ownDeviation } = this.#device
    return {
      ...common,
      kind: "recovery",
      ...(dice.percent(95) && { sleepProviderId: night.providerId }),
      ...(dice.percent(90) && { cycleProviderId: common.providerId }),
      createdMs: night.endMs,
      ...(!ownDeviation && dice.percent(70) && { skinTempCelsius: dice.between(31, 36, 0.013) }),
      ...(ownDeviation && dice.percent(70) && { skinTempDeviationCelsius: dice.between(-1, 1, 0.05) }),
      ...(hasScore && { scorePercent: dice.between(10, 100, 0.05) }),
      ...(hasScore && {
        contributors: [
          { name: "hrv_balance", value: dice.between(0, 100, 0.05), unit: null },
          { name: "sleep", value: dice.between(0, 100), unit: "%" },
        ],
      }),
      ...(dice.percent(95) && {
        ...(dice.percent(92) && { hrvMs: dice.between(30, 110, 0.05) }),
        ...(dice.percent(92) && { restingHeartRateBpm: dice.between(42, 66, 0.5) }),
        ...(dice.percent(50) && { spo2Percent: dice.between(92, 100, 0.05) }),
      }),
    }
  }

  #workout(id: string, day: LivedDay, span: Span): NormalizedWorkout {
    const dice = this.#dice
    const { startMs, endMs } = whole(span)
    const common = this.#envelope("workout", id, dice.percent(95))
    const zone = () => dice.between(0, 1_800_000, 18_000)
    return {
      ...common,
      kind: "workout",
      startMs,
      endMs,
      utcOffsetMinutes: day.offset,
      ...(this.#device.bothOffsets && { startUtcOffsetMinutes: day.offset, endUtcOffsetMinutes: day.offset }),
      countsAsWorkout: dice.percent(90),
      ...(dice.percent(50) && {
        zones: { zone0Ms: zone(), zone1Ms: zone(), zone2Ms: zone(), zone3Ms: zone(), zone4Ms: zone(), zone5Ms: zone() },
      }),
      durationMs: endMs - startMs,
      sportType: dice.pick(["running", "cycling", "yoga", "tennis"]),
      ...(this.#device.strained > 0 && { strain: dice.between(2, 18, 0.05) }),
      energyKcal: dice.between(80, 900, 0.5),
      ...(dice.percent(50) && { distanceMeters: dice.between(0, 20_000, 0.05) }),
    }
  }

  #cycle(id: string, day: LivedDay, night: NormalizedSleep | undefined): NormalizedCycle {
    const dice = this.#dice
    const { dayBegins, bothOffsets } = this.#device
    const common = this.#envelope("cycle", id, dice.percent(95))
    const isScored = common.scoreState === "scored"
    const usualMs = day.midnightMs + (dayBegins ?? -2) * HOUR_MS + dice.between(0, 1_200_000)
    const startMs = dayBegins === undefined && night ? night.startMs : Math.trunc(usualMs)
    const isOver = startMs + DAY_MS <= this.#now.getTime()
    return {
      ...common,
      kind: "cycle",
      startMs,
      endMs: isOver ? startMs + DAY_MS : null,
      utcOffsetMinutes: day.offset,
      ...(bothOffsets && { startUtcOffsetMinutes: day.offset, ...(isOver && { endUtcOffsetMinutes: day.offset }) }),
      ...(dice.percent(60) && { steps: dice.between(0, 20_000) }),
      ...(dice.percent(60) && { activeEnergyKcal: dice.between(0, 1500, 0.5) }),
      ...(dice.percent(40) && { distanceMeters: dice.between(0, 20_000, 0.05) }),
      ...(isScored && dice.percent(this.#device.strained) && { strain: dice.between(0, 21, 0.05) }),
      ...(dice.percent(85) && {
        energyKcal: dice.between(1500, 4200, 0.5),
        averageHeartRateBpm: dice.between(50, 90, 0.5),
      }),
    }
  }
}

/** In whole milliseconds. */
const whole = ({ startMs, endMs }: Span): Span => ({ startMs: Math.round(startMs), endMs: Math.round(endMs) })
