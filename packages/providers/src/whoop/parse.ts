// From parsed JSON to normalised records. A record that cannot be read is set aside, and the rest of its page is used.
import { z } from "zod"
import type { Json, NormalizedRecord, RecordKind, RejectedRecord } from "../contract/records.ts"
import { reasonsOf } from "../normalize/parse.ts"
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

/** Returns every record, normalised or rejected, in the order of the page. */
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

const IdSchema = z.union([z.string().min(1).max(64), z.int()]).transform(String)
const IdsSchema = z.object({ id: IdSchema.optional().catch(undefined), cycle_id: IdSchema.optional().catch(undefined) })

function idIn(kind: RecordKind, raw: Json): string | null {
  const ids = IdsSchema.safeParse(raw).data
  return (kind === "recovery" ? ids?.cycle_id : ids?.id) ?? null
}
