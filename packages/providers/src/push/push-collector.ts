import type { PushedType, SeriesType } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { morningFault, seriesOf } from "../apple-health/rows.ts"
import { leftOutReason } from "../archive/archive-items.ts"
import { countNamed } from "../normalize/count-named.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { figureFault } from "../normalize/plausible.ts"
import { faultOf } from "../normalize/plausible-samples.ts"
import { withoutControls } from "../normalize/storable-text.ts"
import { inUnitOf } from "../normalize/units.ts"
import type { PushedRow, WorkoutFigures } from "./pushed-rows.ts"
import { MOST_ROWS, PushedTable, PushTooLarge } from "./pushed-table.ts"

/** A row with a number, in the unit of the program that sent it. */
type NumberRow = Omit<PushedRow, "type" | "value"> & {
  readonly type: Exclude<PushedType, "sleep_segment" | "workout">
  readonly value: number
}
type SpanRow = PushedRow & { readonly type: "sleep_segment" | "sleep_sums" | "workout"; readonly value: string }

const WORKOUT_FIELDS = [
  ["durationMs", "durationMs"],
  ["calories", "energyKcal"],
  ["distanceMeters", "distanceMeters"],
  ["averageHeartRate", "averageHeartRateBpm"],
  ["maxHeartRate", "maxHeartRateBpm"],
] as const satisfies readonly (readonly [keyof WorkoutFigures, string])[]

const LONGEST_MS: Readonly<Record<SpanRow["type"], number>> = {
  sleep_segment: 24 * HOUR_MS,
  sleep_sums: 24 * HOUR_MS,
  workout: 7 * 24 * HOUR_MS,
}
/** Reasons that an answer lists. A broken push could have a million. */
const MOST_REASONS = 100
const FURTHER = "further rows that cannot be used"
const LONGEST_REASON = 120

/** Collects the rows of a push that can be used, and counts the others. */
export class PushCollector {
  readonly #ignored = new Map<string, number>()
  readonly #devices = new Map<string, string>()
  readonly #latestMs: number
  #ignoredCount = 0
  readonly table = new PushedTable(this.#ignored)

  /** @param options.latestMs rows of later times cannot be used */
  constructor({ latestMs }: { readonly latestMs: number }) {
    this.#latestMs = latestMs
  }

  /** @throws {PushTooLarge} when a push with these rows too has too many, used or not */
  expect(count: number): void {
    if (this.table.count + this.#ignoredCount + count > MOST_ROWS)
      throw new PushTooLarge(`a push has at most ${MOST_ROWS} rows, cut it into smaller ones`)
  }

  /** @param reason undefined where nothing is ignored */
  ignore(reason: string | undefined, count = 1): void {
    if (reason === undefined) return
    this.#ignoredCount += count
    const plain = withoutControls(reason).slice(0, LONGEST_REASON)
    countNamed(this.#ignored, plain, { most: MOST_REASONS, further: FURTHER }, count)
  }

  /** Takes a part of a sleep, or a workout. @returns why it is ignored, if it is */
  addSpan(row: SpanRow): string | undefined {
    const lengthMs = row.endMs - row.startMs
    if (lengthMs <= 0) return `${row.type}: it does not end after its start`
    if (lengthMs > LONGEST_MS[row.type]) return `${row.type}: it is too long`
    const reason = this.#faultOf("steps", { startMs: row.startMs, endMs: row.startMs }, 0)
    if (reason !== undefined) return `${row.type}: ${reason}`
    const figures = row.figures && this.#plausible(row.figures, lengthMs)
    this.table.add({
      ...row,
      value: withoutControls(row.value),
      source: this.#deviceOf(row.source),
      ...(figures && { figures }),
    })
    return undefined
  }

  /** The figures of a workout that can be true. The others are counted. */
  #plausible(figures: WorkoutFigures, lengthMs: number): WorkoutFigures {
    const rest = { ...figures }
    for (const [name, field] of WORKOUT_FIELDS) {
      const reason = figureFault("workout", field, { value: figures[name], lengthMs })
      if (reason === undefined) continue
      delete rest[name]
      this.ignore(leftOutReason("workout", name, reason))
    }
    return rest
  }

  /** @returns why the row is ignored, if it is */
  addNumber(row: NumberRow, unit: string | null): string | undefined {
    const { type } = row
    const series = seriesOf(type)
    const value = inUnitOf(series, row.value, unit)
    if (value === undefined) return `${type}: unknown unit ${unit}`
    const reason = this.#faultOf(series, row, value) ?? morningFault(type, value)
    if (reason !== undefined) return `${type}: ${reason}`
    this.table.add({ ...row, value, source: this.#deviceOf(row.source) })
    return undefined
  }

  /** @returns why a value cannot be true. What ends in the future was not measured yet */
  #faultOf(series: SeriesType, { startMs, endMs }: Pick<PushedRow, "startMs" | "endMs">, value: number) {
    const sample = { atMs: endMs > this.#latestMs ? endMs : startMs, durationMs: endMs - startMs, value }
    return faultOf(series, sample, this.#latestMs)
  }

  /** Most rows have the source of another one. */
  #deviceOf(source: string): string {
    return this.#devices.getOrInsertComputed(source, deviceNameOf)
  }
}
