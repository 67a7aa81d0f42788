// Sleep of Health Auto Export: its parts, or a whole night in sums where the person lets the app aggregate.
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { figureOf } from "../normalize/text-numbers.ts"
import { conversionOf } from "../normalize/units.ts"
import { usableOf } from "../normalize/usable-fields.ts"
import { amount, name, noteLeftOut, sourceOf, text, timesOf, UNREADABLE } from "./auto-export-points.ts"
import type { JsonRange } from "./json-body.ts"
import { eachOf, type PushReading } from "./plain-push.ts"
import type { PushCollector } from "./push-collector.ts"
import { stageOfWord } from "./sleep-words.ts"

const SegmentSchema = z.object({ startDate: name, endDate: name, value: name, source: text })
const hours = amount.nullish()
const NightSchema = z.object({
  sleepStart: name,
  sleepEnd: name,
  inBedStart: text,
  inBedEnd: text,
  totalSleep: hours,
  asleep: hours,
  core: hours,
  deep: hours,
  rem: hours,
  awake: hours,
  inBed: hours,
  source: text,
  // Before version 6.6.2.
  sleepSource: text,
})

/** More than any word has. */
const LONGEST_WORD = 40

/** The first word of a metric that is no known stage. Half of the stages of a night would be another night, so without it none is used. */
export async function unknownWordOf(reading: PushReading, sleeps: JsonRange): Promise<string | undefined> {
  let unknown: string | undefined
  await eachOf(reading, sleeps, (point) => {
    const word = SegmentSchema.safeParse(point).data?.value
    if (word !== undefined && stageOfWord(word) === undefined) unknown ??= word
  })
  return unknown
}

interface SleepOptions {
  readonly unit: string | null
  /** Of the metric. */
  readonly unknownWord: string | undefined
}

/** A part of a sleep, or a whole night in sums where the person lets the app aggregate. */
export function addSleep(
  collector: PushCollector,
  point: unknown,
  { unit, unknownWord }: SleepOptions,
): string | undefined {
  const segment = SegmentSchema.safeParse(point)
  if (!segment.success) return addNight(collector, point, unit)
  const { startDate, endDate, value, source } = segment.data
  const stage = stageOfWord(value)
  if (unknownWord !== undefined || stage === undefined)
    return `sleep_segment: no part is used, because the stage ${(unknownWord ?? value).slice(0, LONGEST_WORD)} is not known`
  const times = timesOf(startDate, endDate)
  if (typeof times === "string") return `sleep_segment: ${times}`
  return collector.addSpan({ ...times, type: "sleep_segment", value: stage, source: sourceOf(source) })
}

/** Sums are rounded. */
const SLACK_MS = MINUTE_MS
const TOO_LONG = "sleep_analysis: longer asleep than the night is: switch off the aggregation of sleep in the app"

/** The stages of a night's sums. Where one of them is missing beside others, only the sleep as a whole is known. */
const STAGE_SUMS = ["core", "deep", "rem", "awake"] as const
/** The app adds up sources that overlap, so sums may be longer than their night. */
const MOST_SUM_HOURS = 168

function addNight(collector: PushCollector, point: unknown, unit: string | null): string | undefined {
  const usable = usableOf(NightSchema, point)
  if (usable instanceof z.ZodError) return `sleep_analysis: ${UNREADABLE}`
  const toMs = conversionOf("milliseconds", unit ?? "hr")
  if (toMs === undefined) return `sleep_analysis: unknown unit ${unit}`
  const { sleepStart, sleepEnd, inBedStart, inBedEnd, source, sleepSource, ...figures } = usable.value
  const leftOut = [...usable.leftOut]
  const sums = new Map<string, number>()
  for (const [name, written] of Object.entries(figures)) {
    if (written === null || written === undefined) continue
    const value = figureOf(written, "hours")
    const ms = typeof value === "number" ? Math.round(toMs(value)) : Number.NaN
    if (ms >= 0 && ms <= MOST_SUM_HOURS * HOUR_MS) sums.set(name, ms)
    else
      leftOut.push({ field: name, reason: typeof value === "string" ? value : `outside 0 to ${MOST_SUM_HOURS} hours` })
  }
  const msOf = (name: keyof typeof figures) => sums.get(name) ?? 0
  const isStaged = STAGE_SUMS.every((name) => sums.has(name))
  const [lightMs, deepMs, remMs] = isStaged ? [msOf("core"), msOf("deep"), msOf("rem")] : [0, 0, 0]
  // Bands of other makers write zero for each stage, and the sleep as a whole.
  const hasStages = lightMs + deepMs + remMs > 0
  const sumMs = ["core", "deep", "rem"].every((name) => sums.has(name)) ? msOf("core") + msOf("deep") + msOf("rem") : 0
  const wholeMs = sumMs > 0 ? sumMs + msOf("asleep") : msOf("asleep") || msOf("totalSleep")
  const asleepMs = hasStages ? msOf("asleep") : wholeMs
  if (!hasStages && asleepMs === 0) return "sleep_analysis: no time asleep"
  const isInBed = msOf("inBed") > 0
  const [first, last] = [timesOf(isInBed ? inBedStart : null, null), timesOf(isInBed ? inBedEnd : null, null)]
  const times = timesOf(sleepStart, sleepEnd)
  if (typeof times === "string") return `sleep_analysis: ${times}`
  const startMs = typeof first === "string" ? times.startMs : Math.min(times.startMs, first.startMs)
  const endMs = typeof last === "string" ? times.endMs : Math.max(times.endMs, last.endMs)
  // The app adds up the parts of sources that overlap.
  if (lightMs + deepMs + remMs + asleepMs > endMs - startMs + SLACK_MS) return TOO_LONG
  noteLeftOut(collector, "sleep_analysis", leftOut)
  return collector.addSpan({
    ...times,
    startMs,
    endMs,
    type: "sleep_sums",
    value: "asleep",
    source: sourceOf(source ?? sleepSource),
    sleep: { lightMs, deepMs, remMs, asleepMs, awakeMs: hasStages ? msOf("awake") : 0, inBedMs: msOf("inBed") },
  })
}
