// A value of Health Auto Export, and what its other rows have in common with it: times, sources, numbers.
import type { PushedType } from "@restwell/client"
import { z } from "zod"
import { deviceKindOf } from "../apple-health/rows.ts"
import { leftOutReason } from "../archive/archive-items.ts"
import type { LeftOutField } from "../contract/records.ts"
import { DEVICE_KINDS } from "../contract/series.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { known } from "../normalize/known.ts"
import { figureOf } from "../normalize/text-numbers.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import type { PushCollector } from "./push-collector.ts"
import { type PushedInstant, pushedInstant } from "./pushed-instant.ts"
import { type Grouping, NO_GROUPING } from "./time-grouping.ts"

export type NumberType = Exclude<PushedType, "sleep_segment" | "workout">

/** Names of many sources may be joined. Longer text than anything has is refused before it is taken apart. */
const LONGEST_TEXT = 1_000
export const name = z.string().max(LONGEST_TEXT)
export const amount = z.union([z.number(), name], { error: "no number" })
export const text = name.nullish()

export const PointSchema = z.object({
  date: text,
  startDate: text,
  endDate: text,
  qty: amount.nullish(),
  Avg: amount.nullish(),
  systolic: amount.nullish(),
  diastolic: amount.nullish(),
  source: text,
})
const PointTimesSchema = PointSchema.pick({ date: true, startDate: true, endDate: true })

export const UNREADABLE = "missing or of the wrong type"
/** Names of several sources are joined. A watch stands for all of them, then a phone. */
export function sourceOf(source: string | null | undefined): string {
  const names = (source ?? "").split("|").map(deviceNameOf)
  const rank = (name: string) => DEVICE_KINDS.indexOf(deviceKindOf(name))
  return names.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))[0] ?? ""
}

/** @returns the times of a row, or why it has none */
export function timesOf(start: string | null | undefined, end: string | null | undefined, shortestMs = 0) {
  const [startsAt, endsAt] = [pushedInstant(start ?? ""), pushedInstant(end ?? start ?? "")]
  if (!startsAt || !endsAt) return "not an instant with an offset"
  const { ms: startMs, utcOffsetMinutes } = startsAt
  return { startMs, endMs: Math.max(endsAt.ms, startMs + shortestMs), ...known({ utcOffsetMinutes }) }
}

/** When a point without an end begins. */
export function startOf(point: unknown): PushedInstant | undefined {
  const { date, startDate, endDate } = PointTimesSchema.safeParse(point).data ?? {}
  return endDate ? undefined : pushedInstant(startDate ?? date ?? "")
}

interface Metric {
  readonly type: NumberType
  readonly unit: string | null
  /** @default none */
  readonly grouping?: Grouping
}

/** Counts fields that were left out of a row that is used. */
export const noteLeftOut = (collector: PushCollector, what: string, leftOut: readonly LeftOutField[]): void => {
  for (const { field, reason } of leftOut) collector.ignore(leftOutReason(what, field, reason))
}

/** What a point is about. */
const ESSENTIAL = ["date", "startDate", "endDate", "qty", "Avg"]

export function addPoint(
  collector: PushCollector,
  point: unknown,
  { type, unit, grouping = NO_GROUPING }: Metric,
): string | undefined {
  const usable = usableOf(PointSchema, point, ESSENTIAL)
  if (usable instanceof z.ZodError) return `${type}: ${UNREADABLE}`
  const { date, startDate, endDate, source, qty, Avg } = usable.value
  const written = qty ?? Avg
  if (written === null || written === undefined) return `${type}: ${UNREADABLE}`
  const value = figureOf(written, type)
  if (typeof value === "string") return `${type}: ${value}`
  const { lengthMs, isMaybeOfDay } = endDate ? NO_GROUPING : grouping
  const times = timesOf(startDate ?? date, endDate, lengthMs)
  if (typeof times === "string") return `${type}: ${times}`
  noteLeftOut(collector, type, usable.leftOut)
  const row = { ...times, type, value, source: sourceOf(source), ...(isMaybeOfDay && { isMaybeOfDay }) }
  return collector.addNumber(row, unit)
}

export function addPressure(collector: PushCollector, point: unknown, unit: string | null): string | undefined {
  const usable = usableOf(PointSchema, point, ESSENTIAL)
  const { systolic, diastolic, ...rest } = usable instanceof z.ZodError ? {} : usable.value
  const [first, second] = [
    addPoint(collector, { ...rest, qty: systolic }, { type: "blood_pressure_systolic", unit }),
    addPoint(collector, { ...rest, qty: diastolic }, { type: "blood_pressure_diastolic", unit }),
  ]
  return first ?? second
}
