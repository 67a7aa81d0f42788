// Oura's records: how each kind is read, and where its id is. The payload of a record is its documents, by collection.
import { z } from "zod"
import type { Json, RecordKind } from "../contract/records.ts"
import { type ReadRecords, readRecords, recordReader, type VendorRecords } from "../normalize/read-records.ts"
import { OURA_COVERAGE } from "./coverage.ts"
import { normalizeCycle, normalizeRecovery, normalizeSleep, normalizeWorkout } from "./normalize.ts"
import { OURA_PLAUSIBLE } from "./plausible.ts"
import {
  documentId,
  OuraCycleRecordSchema,
  OuraRecoveryRecordSchema,
  OuraSleepRecordSchema,
  OuraWorkoutRecordSchema,
} from "./wire.ts"

const withId = z.object({ id: documentId })
const SleepIdSchema = z.object({ sleep: withId }).transform(({ sleep }) => sleep.id)
const RecoveryIdSchema = z.union([
  z.object({ daily_readiness: withId }).transform(({ daily_readiness }) => daily_readiness.id),
  SleepIdSchema,
])
const WorkoutIdSchema = z.object({ workout: withId }).transform(({ workout }) => workout.id)
const CycleIdSchema = z.object({ daily_activity: withId }).transform(({ daily_activity }) => daily_activity.id)

/** Returns every record, normalised or rejected, in the order given. @param now tells what may still be scored */
export function readOuraRecords(kind: RecordKind, raws: readonly Json[], now: Date): ReadRecords {
  const vendor: VendorRecords = {
    readers: {
      sleep: recordReader(OuraSleepRecordSchema, (wire, raw) => normalizeSleep(wire, raw, now), SleepIdSchema),
      recovery: recordReader(
        OuraRecoveryRecordSchema,
        (wire, raw) => normalizeRecovery(wire, raw, now),
        RecoveryIdSchema,
      ),
      workout: recordReader(OuraWorkoutRecordSchema, normalizeWorkout, WorkoutIdSchema),
      cycle: recordReader(OuraCycleRecordSchema, (wire, raw) => normalizeCycle(wire, raw, now), CycleIdSchema),
    },
    coverage: OURA_COVERAGE,
    bounds: OURA_PLAUSIBLE,
  }
  return readRecords(vendor, kind, raws)
}
