// From parsed JSON to normalised records: each record by itself, so that a strange one is set aside and its page lives.
import { z } from "zod"
import type { Json, NormalizedRecord, RecordKind, RejectedRecord } from "../contract/adapter.ts"
import { ContractViolation } from "../contract/errors.ts"
import { normalizeCycle, normalizeRecovery, normalizeSleep, normalizeWorkout } from "./normalize.ts"
import { WhoopCycleSchema, WhoopRecoverySchema, WhoopSleepSchema, WhoopWorkoutSchema } from "./wire.ts"

const READERS: Readonly<Record<RecordKind, (raw: Json) => NormalizedRecord | z.ZodError>> = {
  sleep: reader(WhoopSleepSchema, normalizeSleep),
  recovery: reader(WhoopRecoverySchema, normalizeRecovery),
  workout: reader(WhoopWorkoutSchema, normalizeWorkout),
  cycle: reader(WhoopCycleSchema, normalizeCycle),
}

function reader<Schema extends z.ZodType>(
  schema: Schema,
  normalize: (wire: z.infer<Schema>, raw: Json) => NormalizedRecord,
) {
  return (raw: Json) => {
    const result = schema.safeParse(raw)
    return result.success ? normalize(result.data, raw) : result.error
  }
}

/** Returns every record normalised or rejected, in the order they came. */
export function readRecords(kind: RecordKind, raws: readonly Json[]) {
  const records: NormalizedRecord[] = []
  const rejected: RejectedRecord[] = []
  for (const raw of raws) {
    const record = READERS[kind](raw)
    if (record instanceof z.ZodError) {
      rejected.push({ kind, providerId: idIn(kind, raw), reason: reasonsOf(record), raw })
    } else {
      records.push(record)
    }
  }
  return { records, rejected }
}

/** Returns an answer in its documented shape. @throws {ContractViolation} when it has another */
export function parseWhole<Schema extends z.ZodType>(schema: Schema, body: Json, operation: string): z.infer<Schema> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join(".") ?? ""
  throw new ContractViolation(`${operation} answered in another shape: ${reasonsOf(result.error)}`, path, {
    cause: result.error,
  })
}

/** Paths and what is wrong there; the schemas' messages hold no values. */
export function reasonsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".") || "record"}: ${issue.message}`).join("; ")
}

const IdSchema = z.union([z.string().min(1).max(64), z.int()]).transform(String)
const IdsSchema = z.object({ id: IdSchema.optional().catch(undefined), cycle_id: IdSchema.optional().catch(undefined) })

function idIn(kind: RecordKind, raw: Json): string | null {
  const ids = IdsSchema.safeParse(raw).data
  return (kind === "recovery" ? ids?.cycle_id : ids?.id) ?? null
}
