import { z } from "zod"
import { dateParameter, type HEALTH_TYPES } from "../rest/query.ts"
import { round } from "../rest/rounding.ts"
import { CHOICE_REASONS, PROVIDERS } from "../rest/source.ts"

/** Types for which one of several sources answers. */
export const SOURCE_TYPES = [
  "sleep",
  "recovery",
  "workout",
  "cycle",
] as const satisfies readonly (typeof HEALTH_TYPES)[number][]
export type SourceType = (typeof SOURCE_TYPES)[number]

const provider = z.enum(PROVIDERS, { error: `must be one of ${PROVIDERS.join(", ")}` })
const providers = z
  .array(provider)
  .max(PROVIDERS.length)
  .refine((names) => new Set(names).size === names.length, { error: "names a source twice" })

/** Most choices of a person: one for each date of more than thirteen years. */
export const MOST_SOURCE_CHOICES = 5_000

const ChoiceSchema = z.object({
  type: z.enum(SOURCE_TYPES),
  date: dateParameter("The local date"),
  source: provider,
})

/** PUT /api/account/sources. It replaces the keys that it has: the order of each type, and all choices. */
export const SourceSettingsSchema = z
  .strictObject({
    order: z
      .partialRecord(z.enum(SOURCE_TYPES), providers)
      .optional()
      .meta({ description: "Sources by type, the preferred first. An empty list removes the order" }),
    choices: z
      .array(ChoiceSchema)
      .max(MOST_SOURCE_CHOICES)
      .refine((choices) => new Set(choices.map(({ type, date }) => `${type} ${date}`)).size === choices.length, {
        error: "names a type and date twice",
      })
      .optional()
      .meta({ description: "The source of single dates. It goes before any order" }),
  })
  .meta({ id: "SourceSettings" })

const DifferenceValueSchema = z.object({
  source: z.string().meta({ example: "oura" }),
  chosen: z.boolean().meta({ description: "True for the source that answers", example: true }),
  chosen_because: z.enum(CHOICE_REASONS).nullable().meta({
    description: "Which rule chose it, as `chosen_because` of records. Null for a source that does not answer",
    example: "default_order",
  }),
  asleep_minutes: z.int().nullable().meta({ description: "Sleep: minutes asleep", example: 431 }),
  resting_heart_rate: z.int().nullable().meta({ description: "Recovery: beats per minute", example: 52 }),
  hrv: z.number().nullable().meta({ description: "Recovery: milliseconds", example: 64.2 }),
  hrv_method: z.enum(["rmssd", "sdnn"]).nullable().meta({ example: "rmssd" }),
})

/** A date on which two sources differ more than measurements usually do. */
const DifferenceSchema = z.object({
  type: z.enum(["sleep", "recovery"]),
  date: z.string().meta({ format: "date", example: "2026-11-19" }),
  values: z
    .array(DifferenceValueSchema)
    .meta({ description: "One for each source of the date, in the person's order" }),
})

const names = z.array(z.string()).meta({ example: ["oura", "whoop"] })

/** GET /api/account/sources. */
export const SourceSettingsResponseSchema = z
  .object({
    order: z
      .object({ sleep: names, recovery: names, workout: names, cycle: names })
      .meta({ description: "The person's order by type; empty where none is set" }),
    default_order: names.meta({
      description:
        "All sources as they come where no order is set: connections, then archives, then what a phone collects; of these, the one that " +
        "the person has longest",
    }),
    choices: z.array(ChoiceSchema.extend({ source: z.string() })).meta({ description: "The newest date first" }),
    differences: z.array(DifferenceSchema).meta({
      description:
        "Of the last 90 dates with a difference, the newest first: more than 60 minutes asleep, 5 beats a minute of resting heart rate, " +
        "or 15 % of the HRV of one method",
    }),
  })
  .meta({ id: "SourceSettingsResponse" })

export type SourceSettings = z.infer<typeof SourceSettingsSchema>
export type SourceSettingsResponse = z.infer<typeof SourceSettingsResponseSchema>
export type SourceDifference = SourceSettingsResponse["differences"][number]

/** More than measurements of one night usually differ by. HRV is a share of the middle of both values. */
const FAR = { asleepMinutes: 60, restingHeartRate: 5, hrvShare: 0.15 }

type DifferenceValue = SourceDifference["values"][number]

/** How the sources of a date differ in one figure. Equal bounds where fewer than two have it. */
interface SourceGap {
  readonly lowest: number
  readonly highest: number
  /** Whether they differ by more than measurements usually do. */
  readonly isFar: boolean
}

/** The gaps of a date's figures as they are answered, so that a date is listed if and only if its reader can see why. */
export function gapsOf(values: readonly DifferenceValue[]): Record<"asleep" | "restingHeartRate" | "hrv", SourceGap> {
  return {
    asleep: gapOf(
      values.map(({ asleep_minutes }) => asleep_minutes),
      () => FAR.asleepMinutes,
    ),
    restingHeartRate: gapOf(
      values.map(({ resting_heart_rate }) => resting_heart_rate),
      () => FAR.restingHeartRate,
    ),
    hrv: hrvGapOf(values),
  }
}

/** Values of different methods cannot be compared. */
function hrvGapOf(values: readonly DifferenceValue[]): SourceGap {
  const gaps = [...new Set(values.map(({ hrv_method }) => hrv_method))].map((method) =>
    gapOf(
      values.flatMap(({ hrv, hrv_method }) => (hrv_method === method ? [hrv] : [])),
      (middle) => FAR.hrvShare * middle,
    ),
  )
  return gaps.find(({ isFar }) => isFar) ?? gaps[0] ?? gapOf([], () => 0)
}

function gapOf(values: readonly (number | null)[], limitAt: (middle: number) => number): SourceGap {
  const known = values.filter((value) => value !== null)
  if (known.length < 2) return { lowest: 0, highest: 0, isFar: false }
  const [lowest, highest] = [Math.min(...known), Math.max(...known)]
  // 46.4 less 40.4 is 6, and a computer gets 6.000000000000001.
  return { lowest, highest, isFar: round(highest - lowest, 1) > limitAt((lowest + highest) / 2) }
}
