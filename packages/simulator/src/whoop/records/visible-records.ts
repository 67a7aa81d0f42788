import type { Person } from "../../people/people.ts"
import type { PersonRecords } from "./person-records.ts"
import { bodyOf, profileOf } from "./profile.ts"
import type { WireRecords } from "./wire.ts"

/** Returns copies of all records of a person that are visible at a moment. */
export function visibleRecords(person: Person, records: PersonRecords, nowMs: number): WireRecords {
  return structuredClone({
    cycles: records.cycles.visibleAt(nowMs).map(({ body }) => body),
    sleeps: records.sleeps.visibleAt(nowMs).map(({ body }) => body),
    recoveries: records.recoveries.visibleAt(nowMs).map(({ body }) => body),
    workouts: records.workouts.visibleAt(nowMs).map(({ body }) => body),
    profile: profileOf(person),
    body: bodyOf(person),
  })
}
