/** What is visible of a person at a moment, as one piece of plain JSON. */
import { bodyOf, type People, type PersonReference, profileOf } from "../../people/people.ts"
import type { WireRecords } from "./wire.ts"

/** Returns copies: changing them changes nothing. */
export function visibleRecords(people: People, reference: PersonReference, nowMs: number): WireRecords {
  const person = people.get(reference)
  const records = people.recordsOf(person)
  return structuredClone({
    cycles: records.cycles.visibleAt(nowMs).map(({ body }) => body),
    sleeps: records.sleeps.visibleAt(nowMs).map(({ body }) => body),
    recoveries: records.recoveries.visibleAt(nowMs).map(({ body }) => body),
    workouts: records.workouts.visibleAt(nowMs).map(({ body }) => body),
    profile: profileOf(person),
    body: bodyOf(person),
  })
}
