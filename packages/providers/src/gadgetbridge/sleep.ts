// Sleep of Gadgetbridge: Xiaomi's devices give nights and stages, Huami's give minutes.
import { SLEEP_STAGES } from "@restwell/client"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { CollectedRows } from "../apple-health/collected-rows.ts"
import { deviceKindOf, type ValueSpan } from "../apple-health/rows.ts"
import { numberIn } from "../archive/sqlite-file.ts"
import { SLEEP_PHASES, type SleepPhase } from "../contract/records.ts"
import { areOfSums, type OwnSums } from "../normalize/phase-sums.ts"
import type { DeviceTables } from "./device-tables.ts"
import { aboveZero, huamiStage, msOf, XIAOMI_SLEEPS, XIAOMI_STAGES, xiaomiStage } from "./wire.ts"

const [AWAKE, ASLEEP, IN_BED] = (["awake", "asleep", "in_bed"] as const).map((stage) => SLEEP_STAGES.indexOf(stage))

/** A night as a device summed it up. */
interface Night {
  readonly device: string
  readonly startMs: number
  readonly endMs: number
  /** Minutes. */
  readonly total: number
  readonly deep: number
  readonly light: number
  readonly rem: number
  readonly awake: number
}

interface StagePoint {
  readonly atMs: number
  readonly stage: number | undefined
}

/** Adds the nights of Xiaomi's devices. Points of a night that was read in part would be another one than that of its own sums. */
export function addXiaomiSleeps(tables: DeviceTables, collected: CollectedRows): void {
  const points = new Map<string, StagePoint[]>()
  for (const { device, atMs, row } of tables.rows(XIAOMI_STAGES, ["STAGE"], "by time"))
    points.getOrInsertComputed(device, () => []).push({ atMs, stage: xiaomiStage(numberIn(row, "STAGE")) })
  for (const night of xiaomiNights(tables)) {
    const spans = spansOf(within(points.get(night.device) ?? [], night), night)
    const isWhole = areOfSums(
      spans.map(({ value, ...times }) => ({ ...times, phase: phaseOf(value) })),
      sumsOf(night),
      night.endMs - night.startMs,
    )
    if (spans.length > 0 && isWhole) addStages(tables, collected, { night, spans })
    else {
      for (const _ of spans) tables.ignore(XIAOMI_STAGES, "they add up to another night than its own sums")
      addSums(collected, night)
    }
  }
}

const phaseOf = (value: number): SleepPhase => SLEEP_PHASES.find((phase) => phase === SLEEP_STAGES[value]) ?? "awake"

/** The night as the band added it up. Zero stands for none where the others have nothing either. */
function sumsOf({ total, deep, light, rem, awake }: Night): OwnSums {
  if (deep + light + rem === 0) return total > 0 ? { asleepMs: total * MINUTE_MS } : {}
  return {
    asleepMs: (deep + light + rem) * MINUTE_MS,
    phases: { deep: deep * MINUTE_MS, light: light * MINUTE_MS, rem: rem * MINUTE_MS, awake: awake * MINUTE_MS },
  }
}

const DURATIONS = ["TOTAL_DURATION", "DEEP_SLEEP_DURATION", "LIGHT_SLEEP_DURATION", "REM_SLEEP_DURATION"] as const

/** A night that was read several times while it went on is there once for each. The longest counts. */
function xiaomiNights(tables: DeviceTables): readonly Night[] {
  const nights = new Map<string, Night>()
  const columns = ["WAKEUP_TIME", "AWAKE_DURATION", ...DURATIONS]
  for (const { device, atMs: startMs, row } of tables.rows(XIAOMI_SLEEPS, columns)) {
    const wakeup = numberIn(row, "WAKEUP_TIME")
    const endMs = wakeup === undefined ? startMs : msOf(wakeup)
    if (endMs <= startMs || endMs - startMs > 24 * HOUR_MS) {
      tables.ignore(XIAOMI_SLEEPS, "without a waking within a day")
      continue
    }
    const minutes = (column: string) => aboveZero(numberIn(row, column)) ?? 0
    const night = {
      device,
      startMs,
      endMs,
      total: minutes("TOTAL_DURATION"),
      deep: minutes("DEEP_SLEEP_DURATION"),
      light: minutes("LIGHT_SLEEP_DURATION"),
      rem: minutes("REM_SLEEP_DURATION"),
      awake: minutes("AWAKE_DURATION"),
    }
    const key = `${device} ${startMs}`
    const other = nights.get(key)
    if (!other || night.endMs > other.endMs) nights.set(key, night)
  }
  return [...nights.values()]
}

/** @param points by time */
function within(points: readonly StagePoint[], { startMs, endMs }: Night): readonly StagePoint[] {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle]?.atMs ?? 0) < startMs) low = middle + 1
    else high = middle
  }
  let end = low
  while ((points[end]?.atMs ?? endMs) < endMs) end += 1
  return points.slice(low, end)
}

/** A stage lasts until the next point. Unknown ones are none. */
const spansOf = (own: readonly StagePoint[], { endMs }: Night): readonly ValueSpan[] =>
  own.flatMap(({ atMs, stage }, index) =>
    stage === undefined ? [] : [{ startMs: atMs, endMs: own[index + 1]?.atMs ?? endMs, value: stage }],
  )

interface StagedNight {
  readonly night: Night
  readonly spans: readonly ValueSpan[]
}

function addStages(tables: DeviceTables, collected: CollectedRows, { night, spans }: StagedNight): void {
  const { device, startMs, endMs } = night
  const add = (from: number, to: number, value: number) => {
    const fault = collected.add({ type: "sleep", device, startMs: from, endMs: to, value })
    if (fault !== undefined) tables.ignore(XIAOMI_STAGES, fault)
  }
  add(startMs, endMs, IN_BED ?? 0)
  for (const span of spans) add(span.startMs, span.endMs, span.value)
}

function addSums(collected: CollectedRows, { device, startMs, endMs, total, deep, light, rem, awake }: Night): void {
  const staged = deep + light + rem
  collected.addSession({
    device,
    kind: deviceKindOf(device),
    startMs,
    endMs,
    segments: [],
    ms: {
      awake: awake * MINUTE_MS,
      light: light * MINUTE_MS,
      deep: deep * MINUTE_MS,
      rem: rem * MINUTE_MS,
      asleep: staged > 0 ? 0 : total * MINUTE_MS,
      in_bed: endMs - startMs,
    },
    asleepMs: (staged > 0 ? staged : total) * MINUTE_MS,
    hasStages: staged > 0,
  })
}

/** Minutes of one device with a longer pause between them are two sleeps. */
const LONGEST_PAUSE_MS = HOUR_MS
/** A few minutes without movement are no sleep. */
const LEAST_MS = 10 * MINUTE_MS

interface Run {
  readonly startMs: number
  endMs: number
  readonly stage: number
}

/** The minutes asleep of one Huami device, in their order. */
export class HuamiSleep {
  readonly #device: string
  readonly #collected: CollectedRows
  #runs: Run[] = []
  #hasStages = false

  constructor(device: string, collected: CollectedRows) {
    this.#device = device
    this.#collected = collected
  }

  add(atMs: number, deep: number | undefined, rem: number | undefined): void {
    const last = this.#runs.at(-1)
    if (last && atMs - last.endMs > LONGEST_PAUSE_MS) this.end()
    if ((deep ?? 0) !== 0 || (rem ?? 0) !== 0) this.#hasStages = true
    const stage = huamiStage(deep, rem)
    const run = this.#runs.at(-1)
    if (run && run.stage === stage && atMs <= run.endMs) run.endMs = Math.max(run.endMs, atMs + MINUTE_MS)
    else this.#runs.push({ startMs: atMs, endMs: atMs + MINUTE_MS, stage })
  }

  /** Newer watches keep their stages elsewhere: a night whose stages are all zero has none. */
  end(): void {
    const [runs, hasStages] = [this.#runs, this.#hasStages]
    this.#runs = []
    this.#hasStages = false
    const asleepMs = runs.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    if (asleepMs < LEAST_MS) return
    let reachMs = runs[0]?.startMs ?? 0
    for (const { startMs, endMs, stage } of runs) {
      const row = { type: "sleep", device: this.#device } as const
      if (startMs > reachMs) this.#collected.add({ ...row, startMs: reachMs, endMs: startMs, value: AWAKE ?? 0 })
      this.#collected.add({ ...row, startMs, endMs, value: hasStages ? stage : (ASLEEP ?? 0) })
      reachMs = Math.max(reachMs, endMs)
    }
  }
}
