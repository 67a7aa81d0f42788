// WHOOP's records: how each kind is read, and where its id is.
import type { Json, RecordKind } from "../contract/records.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { WHOOP_COVERAGE } from "./coverage.ts"
import { normalizeCycle, normalizeRecovery, normalizeSleep, normalizeWorkout } from "./normalize.ts"
import { WHOOP_PLAUSIBLE } from "./plausible.ts"
import {
  WhoopActivityIdSchema,
  WhoopCycleIdSchema,
  WhoopCycleSchema,
  WhoopRecoveryIdSchema,
  WhoopRecoverySchema,
  WhoopSleepSchema,
  WhoopWorkoutSchema,
} from "./wire.ts"

const WHOOP_RECORDS: VendorRecords = {
  readers: {
    sleep: recordReader(WhoopSleepSchema, normalizeSleep, WhoopActivityIdSchema),
    recovery: recordReader(WhoopRecoverySchema, normalizeRecovery, WhoopRecoveryIdSchema),
    workout: recordReader(WhoopWorkoutSchema, normalizeWorkout, WhoopActivityIdSchema),
    cycle: recordReader(WhoopCycleSchema, normalizeCycle, WhoopCycleIdSchema),
  },
  coverage: WHOOP_COVERAGE,
  bounds: WHOOP_PLAUSIBLE,
}

/** Returns every record of a page, normalised or rejected, in the order of the page. */
export const readWhoopRecords = (kind: RecordKind, raws: readonly Json[]): ReadRecords =>
  readRecords(WHOOP_RECORDS, kind, raws)
