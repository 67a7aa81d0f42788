import type { PushedType, SeriesType } from "@restwell/client"
import { deviceNameOf } from "../apple-health/rows.ts"
import { leftOutReason } from "../archive/archive-items.ts"
import type { Sample } from "../contract/series.ts"
import { figureFault } from "../normalize/plausible.ts"
import { faultOf } from "../normalize/plausible-samples.ts"
import { withoutControls } from "../normalize/storable-text.ts"
import { KEPT_TYPES, type KeptType, type PushedRow, type PushedRows, type WorkoutFigures } from "./pushed-rows.ts"
import { inUnitOf } from "./units.ts"

/** A row with a number, in the unit of the program that sent it. */
type NumberRow = Omit<PushedRow, "type" | "value"> & {
  readonly type: Exclude<PushedType, "sleep_segment" | "workout">
  readonly value: number
}
type SpanRow = PushedRow & { readonly type: "sleep_segment" | "sleep_sums" | "workout"; readonly value: string }

/** The type of samples whose units and limits a row has. */
function seriesOf(type: NumberRow["type"]): Exclude<SeriesType, "sleep_stages"> {
  switch (type) {
    case "hrv_rmssd":
    case "hrv_sdnn":
      return "hrv"
    case "resting_heart_rate":
      return "heart_rate"
    default:
      return type
  }
}

const WORKOUT_FIELDS = [
  ["durationMs", "data.durationMs"],
  ["calories", "data.metrics.calories"],
  ["distanceMeters", "data.metrics.distance"],
  ["averageHeartRate", "data.metrics.averageHeartRate"],
  ["maxHeartRate", "data.metrics.maxHeartRate"],
] as const satisfies readonly (readonly [keyof WorkoutFigures, string])[]

const isKept = (type: PushedType): type is KeptType & PushedType => KEPT_TYPES.some((kept) => kept === type)

const HOUR_MS = 3_600_000
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
  readonly #rows: PushedRow[] = []
  readonly #samples = new Map<string, { type: SeriesType; device: string; samples: Sample[] }>()
  readonly #ignored = new Map<string, number>()

  /** @param reason undefined where nothing is ignored */
  ignore(reason: string | undefined, count = 1): void {
    if (reason === undefined) return
    const plain = withoutControls(reason).slice(0, LONGEST_REASON)
    const name = this.#ignored.has(plain) || this.#ignored.size < MOST_REASONS ? plain : FURTHER
    this.#ignored.set(name, (this.#ignored.get(name) ?? 0) + count)
  }

  /** Takes a part of a sleep, or a workout. @returns why it is ignored, if it is */
  addSpan(row: SpanRow): string | undefined {
    const lengthMs = row.endMs - row.startMs
    if (lengthMs <= 0) return `${row.type}: it does not end after its start`
    if (lengthMs > LONGEST_MS[row.type]) return `${row.type}: it is too long`
    const reason = faultOf("steps", { atMs: row.startMs, value: 0 }, Number.POSITIVE_INFINITY)
    if (reason !== undefined) return `${row.type}: ${reason}`
    const figures = row.figures && this.#plausible(row.figures, lengthMs)
    this.#rows.push({
      ...row,
      value: withoutControls(row.value),
      source: deviceNameOf(row.source),
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
    const durationMs = row.endMs - row.startMs
    const sample: Sample = {
      atMs: row.startMs,
      value,
      ...(durationMs !== 0 && { durationMs }),
      ...(row.utcOffsetMinutes !== undefined && { utcOffsetMinutes: row.utcOffsetMinutes }),
    }
    const reason =
      faultOf(series, sample, Number.POSITIVE_INFINITY) ??
      // It becomes the figure of a morning as it is.
      (type === "resting_heart_rate" ? figureFault("recovery", "data.metrics.restingHeartRate", { value }) : undefined)
    if (reason !== undefined) return `${type}: ${reason}`
    const source = deviceNameOf(row.source)
    if (isKept(type)) this.#rows.push({ ...row, type, value, source })
    else
      this.#samples
        .getOrInsertComputed(`${type}/${source}`, () => ({ type: series, device: source, samples: [] }))
        .samples.push(sample)
    return undefined
  }

  rows(): PushedRows {
    const samples = [...this.#samples.values()].map(({ device, ...set }) => ({ ...set, ...(device && { device }) }))
    return { rows: this.#rows, samples, ignored: this.#ignored }
  }
}
