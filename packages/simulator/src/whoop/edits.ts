import { createRecordEdits, type EditedRecords, type RecordEdits } from "../edits/record-edits.ts"
import type { PersonReference } from "../people/people.ts"
import type { Webhooks } from "../webhooks/webhooks.ts"
import { writeInstant } from "./records/dialect.ts"
import type { PersonRecords } from "./records/person-records.ts"
import type { WireCycle, WireRecovery, WireSleep, WireWorkout } from "./records/wire.ts"
import type { Vendor } from "./vendor.ts"

export interface Edits {
  readonly cycle: RecordEdits<WireCycle>
  readonly sleep: RecordEdits<WireSleep>
  readonly recovery: RecordEdits<WireRecovery>
  readonly workout: RecordEdits<WireWorkout>
}

type Verb = "updated" | "deleted"

/** Returns the edits of every kind. Editing a sleep touches its recovery; deleting it deletes the recovery. */
export function createEdits({ people, recordsOf }: Vendor, webhooks: Webhooks): Edits {
  const editsOf = <T extends object>(editedOf: (records: PersonRecords, userId: number) => EditedRecords<T>) =>
    createRecordEdits(webhooks, (person: PersonReference) => editedOf(recordsOf(person), people.get(person).userId))
  return { cycle: editsOf(cycles), sleep: editsOf(sleeps), recovery: editsOf(recoveries), workout: editsOf(workouts) }
}

const stamp = (atMs: number) => ({ updated_at: writeInstant(atMs) })

/** WHOOP has no webhooks for cycles. */
const cycles = (records: PersonRecords): EditedRecords<WireCycle> => ({
  collection: records.cycles,
  keyOf: ({ id }) => String(id),
  stamp,
  follow: () => [],
})

const sleeps = (records: PersonRecords, userId: number): EditedRecords<WireSleep> => ({
  collection: records.sleeps,
  keyOf: ({ id }) => id,
  stamp,
  follow: (id, verb, atMs) => [
    { atMs, userId, type: `sleep.${verb}`, id },
    ...editRecoveryOf(records, id, verb, atMs).map(() => ({ atMs, userId, type: `recovery.${verb}`, id })),
  ],
})

const recoveries = (records: PersonRecords, userId: number): EditedRecords<WireRecovery> => ({
  collection: records.recoveries,
  keyOf: ({ cycle_id }) => String(cycle_id),
  stamp,
  follow: (key, verb, atMs) => {
    const id = records.recoveries.at(key, atMs)?.sleep_id
    return id === undefined ? [] : [{ atMs, userId, type: `recovery.${verb}`, id }]
  },
})

const workouts = (records: PersonRecords, userId: number): EditedRecords<WireWorkout> => ({
  collection: records.workouts,
  keyOf: ({ id }) => id,
  stamp,
  follow: (id, verb, atMs) => [{ atMs, userId, type: `workout.${verb}`, id }],
})

/** Returns the keys of the recoveries that it stamped or deleted. */
function editRecoveryOf(records: PersonRecords, sleepId: string, verb: Verb, atMs: number): string[] {
  const keys = records.recoveries
    .visibleAt(atMs)
    .filter(({ body }) => body.sleep_id === sleepId)
    .map(({ key }) => key)
  for (const key of keys) {
    if (verb === "deleted") records.recoveries.edit(key, { kind: "delete", atMs })
    else records.recoveries.edit(key, { kind: "patch", patch: stamp(atMs), atMs })
  }
  return keys
}
