// The rows of Restwell's own export, as they are checked when it is imported.
import {
  CycleDataSchema,
  PROVIDERS,
  ProfileDataSchema,
  RecoveryDataSchema,
  ScoreStateSchema,
  SleepDataSchema,
  SOURCE_TYPES,
  WorkoutDataSchema,
} from "@restwell/client"
import { type Json, SLEEP_PHASES } from "@restwell/providers"
import { z } from "zod"

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const id = z.string().min(1).max(200)
const provider = z.enum(PROVIDERS, { error: "a vendor that is not known here" })
const zone = z.number().nonnegative()
const zones = z.object({ zone0Ms: zone, zone1Ms: zone, zone2Ms: zone, zone3Ms: zone, zone4Ms: zone, zone5Ms: zone })
/** Parsed JSON. */
export const json = z.custom<Json>((value) => value !== undefined)

const offset = z.int().min(-720).max(840)
const amount = z.number().nonnegative()

/** Details that only some vendors have. */
const offsets = { startUtcOffsetMinutes: offset.exactOptional(), endUtcOffsetMinutes: offset.exactOptional() }
const parts = { partIds: z.array(id).max(20).exactOptional() }
const needParts = z.object({ baselineMs: z.number(), debtMs: z.number(), strainMs: z.number(), napMs: z.number() })
const course = z.object({ intervalMs: z.number().positive(), phases: z.array(z.enum(SLEEP_PHASES)).max(3_000) })

const common = {
  provider,
  provider_id: id,
  date: z.iso.date(),
  started_at: instant,
  ended_at: instant.nullable(),
  utc_offset_minutes: offset,
  score_state: ScoreStateSchema,
  vendor_updated_at: instant,
  sleep_provider_id: id.nullable(),
  cycle_provider_id: id.nullable(),
  from_archive: z.boolean(),
  raw: json,
}

export const RecordSchema = z.discriminatedUnion("kind", [
  z.object({
    ...common,
    kind: z.literal("sleep"),
    detail: z.object({
      data: SleepDataSchema,
      consistencyPercent: z.number().exactOptional(),
      needMs: amount.exactOptional(),
      needParts: needParts.exactOptional(),
      course: course.exactOptional(),
      ...offsets,
      ...parts,
    }),
  }),
  z.object({
    ...common,
    kind: z.literal("recovery"),
    detail: z.object({
      data: RecoveryDataSchema.omit({ date: true }),
      skinTempCelsius: z.number().exactOptional(),
      skinTempDeviationCelsius: z.number().exactOptional(),
      createdAt: z.iso.datetime(),
      ...parts,
    }),
  }),
  z.object({
    ...common,
    kind: z.literal("workout"),
    detail: z.object({
      data: WorkoutDataSchema,
      zones: zones.exactOptional(),
      countsAsWorkout: z.boolean(),
      ...offsets,
      ...parts,
    }),
  }),
  z.object({
    ...common,
    kind: z.literal("cycle"),
    detail: z.object({
      data: CycleDataSchema.omit({ date: true }),
      steps: amount.exactOptional(),
      activeCalories: amount.exactOptional(),
      distanceMeters: amount.exactOptional(),
      ...offsets,
      ...parts,
    }),
  }),
])

export const AnswerSchema = z.object({
  provider,
  cycle_started_at: instant,
  question: z.string().min(1).max(500),
  /** Absent in exports of an earlier form. */
  provider_id: z.string().max(200).default(""),
  utc_offset_minutes: offset,
  factor: z.string().min(1).max(100),
  answer: z.boolean().nullable(),
  date: z.iso.date(),
})

const sourceType = z.enum(SOURCE_TYPES)
export const OrderSchema = z.object({ type: sourceType, providers: z.array(provider).min(1).max(PROVIDERS.length) })
export const ChoiceSchema = z.object({ type: sourceType, date: z.iso.date(), provider })

export const ProfileSchema = z.object({ provider, data: ProfileDataSchema, raw: json, fetched_at: instant })

export type ExportedRecord = z.infer<typeof RecordSchema>
