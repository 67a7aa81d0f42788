import type { People, PersonReference } from "../../people/people.ts"
import { PersonRecords } from "./person-records.ts"

/** WHOOP's records of a member, generated up to the clock's time when they are read. */
export type MemberRecords = (reference: PersonReference) => PersonRecords

export function createMemberRecords(people: People, nowMs: () => number): MemberRecords {
  const byUserId = new Map<number, PersonRecords>()
  return (reference) => {
    const member = people.memberOf(reference)
    return byUserId.getOrInsertComputed(member.person.userId, () => new PersonRecords(member)).extendTo(nowMs())
  }
}
