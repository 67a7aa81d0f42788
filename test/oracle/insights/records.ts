/* The records that a device makes of a person's days. */
import type {
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
} from "@restwell/providers"
import { DEVICES, type Device } from "../several/devices.ts"
import type { Dice } from "../several/dice.ts"
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from "../several/lives.ts"
import { type LivedDay, normal } from "./lived-days.ts"
import type { DeviceName, Person, Worn } from "./person.ts"

/** All records of a device. */
export function recordsOf(
  { dice, laterDice }: AllDice,
  person: Person,
  worn: Worn,
  days: readonly LivedDay[],
  now: Date,
): NormalizedRecord[] {
  const last = days.at(-1)?.day ?? 0
  const device = DEVICES[worn.device]
  const bias = dice.between(-2, 2, 0.01)
  return days
    .filter(({ day }) => last - day <= worn.from && last - day >= worn.to)
    .flatMap((day) => {
      const isLast = day.day === last
      const isWorn = !day.isMissing && dice.percent(97) && !(isLast && person.lastNight === "absent")
      const state =
        isLast && person.lastNight !== "scored" ? "pending" : dice.percent(person.unscored) ? "unscorable" : "scored"
      return new Maker({ dice, laterDice, person, device, name: worn.device, day, now, bias, state }).records(isWorn)
    })
}

interface AllDice {
  readonly dice: Dice
  /** For what was added later. */
  readonly laterDice: Dice
}

interface Bench extends AllDice {
  readonly person: Person
  readonly device: Device
  readonly name: DeviceName
  readonly day: LivedDay
  readonly now: Date
  /** How far this device measures from others, in standard deviations. */
  readonly bias: number
  readonly state: "scored" | "pending" | "unscorable"
}

/** Makes one day's records. */
class Maker {
  readonly #bench: Bench

  constructor(bench: Bench) {
    this.#bench = bench
  }

  records(isWorn: boolean): NormalizedRecord[] {
    const { day, dice, now } = this.#bench
    const nights = isWorn ? day.nights.map((span, index) => this.#sleep(`n${day.date}-${index}`, span, false)) : []
    const naps = day.naps.filter(() => dice.percent(85)).map((span) => this.#sleep(`p${day.date}`, span, true))
    const workouts = day.workouts
      .filter(() => dice.percent(90))
      .map((span, index) => this.#workout(`w${day.date}-${index}`, span))
    const [night] = nights
    const cycle = isWorn ? [this.#cycle(night)] : []
    const recovery = night && dice.percent(95) ? [this.#recovery(night)] : []
    return [...nights, ...naps, ...workouts, ...recovery, ...cycle.filter(({ startMs }) => startMs <= now.getTime())]
  }

  /** A figure around its usual value: constant, or with the person's form and noise of its own. */
  #figure(middle: number, spread: number, step: number, direction = 1): number {
    const { dice, person, day, bias } = this.#bench
    if (person.course.isConstant) return middle
    const value = middle + spread * (direction * day.form * 0.8 + normal(dice) * 0.6 + bias * 0.3)
    const width = person.isCoarse ? step * 20 : step
    return Number((Math.max(0.2, Math.round(value / width)) * width).toFixed(6))
  }

  #envelope(kind: string, id: string, scoreState: Bench["state"] = this.#bench.state) {
    return { providerId: `${kind}-${id}`, updatedMs: this.#bench.now.getTime(), scoreState, raw: {} }
  }

  #sleep(id: string, { startMs, endMs }: Span, isNap: boolean): NormalizedSleep {
    const { dice, laterDice, device, day, name, state } = this.#bench
    const common = this.#envelope("sleep", id)
    const isScored = state === "scored"
    const inBedMs = endMs - startMs
    const part = (share: number) => Math.round((inBedMs * share * dice.between(60, 100)) / 100 / 60_000) * 60_000
    const isStaged = isScored && dice.percent(device.staged + 5)
    const need = name === "whoop" && isScored && dice.percent(95)
    return {
      ...common,
      kind: "sleep",
      startMs,
      endMs,
      utcOffsetMinutes: day.offset,
      ...(device.bothOffsets && {
        startUtcOffsetMinutes: isNap ? day.offset : day.offsetBefore,
        endUtcOffsetMinutes: day.offset,
      }),
      ...(!isNap && { cycleProviderId: `cycle-c${day.date}` }),
      ...(isScored && name === "whoop" && { consistencyPercent: Math.min(100, this.#figure(75, 10, 0.5)) }),
      ...(isScored && name === "oura" && this.#heartRate(startMs)),
      ...(isScored && name !== "whoop" && { samples: this.#pulses(startMs, inBedMs) }),
      ...(need && { needMs: Math.round(this.#figure(7.8, 0.4, 0.01, -1) * HOUR_MS) }),
      durationMs: inBedMs,
      isNap,
      ...(isScored && !isNap && name !== "apple_health" && { scorePercent: Math.min(100, this.#figure(80, 9, 0.5)) }),
      ...(isStaged && { stages: { lightMs: part(0.5), deepMs: part(0.2), remMs: part(0.2), awakeMs: part(0.1) } }),
      ...(isScored && laterDice.percent(80) && { timesAwake: Math.round(this.#figure(7, 2, 1, -1)) }),
      ...(isScored && {
        efficiencyPercent: Math.min(100, this.#figure(90, 4, 0.1)),
        respiratoryRatePerMinute: this.#figure(15, 0.7, 0.05, -1),
      }),
    }
  }

  /** Some vendors give all of it, some a part. */
  #heartRate(startMs: number) {
    const { dice } = this.#bench
    return {
      ...(dice.percent(90) && { averageHeartRateBpm: this.#figure(58, 3, 0.05, -1) }),
      ...(dice.percent(90) && { lowestHeartRateBpm: this.#figure(50, 3, 0.5, -1) }),
      ...(dice.percent(90) && { lowestHeartRateAtMs: startMs + dice.below(180) * MINUTE_MS }),
    }
  }

  /** A few values, some of them outside of the sleep, where no other sleep of the night is near. */
  #pulses(startMs: number, lengthMs: number): NonNullable<NormalizedSleep["samples"]> {
    const { dice, person } = this.#bench
    const [minutes, margin] = [Math.floor(lengthMs / MINUTE_MS), person.splits > 0 ? 0 : 10]
    const alone = Array.from({ length: dice.below(5) }, () => dice.below(minutes + 2 * margin) - margin)
    // Some are minutes apart.
    const times = new Set(
      alone.flatMap((minute) => (dice.percent(50) ? [minute, minute + 1 + dice.below(4)] : [minute])),
    )
    const samples = [...times].map((minute) => ({
      atMs: startMs + minute * MINUTE_MS,
      value: 45 + dice.below(20),
    }))
    return [{ type: "heart_rate", samples }]
  }

  #recovery(night: NormalizedSleep): NormalizedRecovery {
    const { dice, device, state } = this.#bench
    const common = this.#envelope("cycle", `c${this.#bench.day.date}`)
    const isScored = state === "scored"
    const temperature = dice.percent(80) ? this.#figure(33.8, 0.5, 0.01, -1) : undefined
    return {
      ...common,
      kind: "recovery",
      sleepProviderId: night.providerId,
      cycleProviderId: common.providerId,
      createdMs: night.endMs,
      ...(isScored && temperature !== undefined && !device.ownDeviation && { skinTempCelsius: temperature }),
      ...(isScored &&
        temperature !== undefined &&
        device.ownDeviation && {
          skinTempDeviationCelsius: Number((temperature - 33.8).toFixed(3)),
        }),
      ...(isScored && device.scored > 0 && { scorePercent: Math.min(100, this.#figure(60, 16, 1)) }),
      ...(isScored && {
        ...(dice.percent(97) && { hrvMs: this.#figure(64, 11, 0.05) }),
        ...(dice.percent(97) && { restingHeartRateBpm: this.#figure(54, 3, 0.5, -1) }),
        ...(dice.percent(70) && { spo2Percent: Math.min(100, this.#figure(96, 1, 0.05)) }),
      }),
    }
  }

  #workout(id: string, { startMs, endMs }: Span): NormalizedWorkout {
    const { dice, day, device } = this.#bench
    const common = this.#envelope("workout", id, dice.percent(96) ? "scored" : "unscorable")
    return {
      ...common,
      kind: "workout",
      startMs,
      endMs,
      utcOffsetMinutes: day.offset,
      ...(device.bothOffsets && { startUtcOffsetMinutes: day.offset, endUtcOffsetMinutes: day.offset }),
      countsAsWorkout: dice.percent(92),
      durationMs: endMs - startMs,
      sportType: dice.pick(["running", "cycling", "yoga"]),
      energyKcal: dice.between(80, 900, 0.5),
      ...(dice.percent(60) && { distanceMeters: dice.between(0, 20_000, 0.05) }),
      ...this.#effort(common.scoreState, endMs - startMs),
    }
  }

  /** Some workouts have no heart rate, and only some vendors have zones. */
  #effort(scoreState: Bench["state"], lengthMs: number): Partial<NormalizedWorkout> {
    const { laterDice: dice, device } = this.#bench
    const [part1 = 0, part2 = 0, part3 = 0, part4 = 0, part5 = 0] = [1, 2, 3, 4, 5].map(() => dice.below(20))
    const partMs = (part: number) => Math.round((lengthMs * part) / 100)
    const zones = { zone1Ms: partMs(part1), zone2Ms: partMs(part2), zone3Ms: partMs(part3) }
    const hardZones = { zone4Ms: partMs(part4), zone5Ms: partMs(part5) }
    const [hasRate, hasZones] = [dice.percent(80), dice.percent(93)]
    if (scoreState !== "scored") return {}
    return {
      ...(hasRate && { maxHeartRateBpm: 120 + dice.below(70) }),
      ...(hasZones && device.strained > 0 && { zones: { zone0Ms: partMs(3), ...zones, ...hardZones } }),
    }
  }

  #cycle(night: NormalizedSleep | undefined): NormalizedCycle {
    const { dice, device, name, day, now, state } = this.#bench
    const common = this.#envelope("cycle", `c${day.date}`, state === "pending" ? "scored" : state)
    const midnightMs = Date.parse(`${day.date}T00:00:00Z`) - day.offset * MINUTE_MS
    const startMs =
      device.dayBegins === undefined ? (night?.startMs ?? midnightMs) : midnightMs + device.dayBegins * HOUR_MS
    const isOver = startMs + DAY_MS <= now.getTime()
    return {
      ...common,
      kind: "cycle",
      startMs,
      endMs: isOver ? startMs + DAY_MS : null,
      utcOffsetMinutes: day.offset,
      ...(device.bothOffsets && {
        startUtcOffsetMinutes: day.offset,
        ...(isOver && { endUtcOffsetMinutes: day.offset }),
      }),
      ...(name !== "whoop" && { steps: Math.round(this.#figure(8000, 2000, 1)) }),
      ...(device.strained > 0 && { strain: Math.min(21, this.#figure(11, 3, 0.05)) }),
      ...(dice.percent(95) && { energyKcal: this.#figure(2400, 300, 0.5) }),
    }
  }
}
