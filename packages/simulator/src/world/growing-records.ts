/** Each person's records at a vendor, which grow as the clock advances. */
import type { Member, People, PersonReference } from "./people.ts"

/** One person's records. */
interface Growing<Self> {
  /** Generates every day that has begun by a moment. */
  extendTo(nowMs: number): Self
}

/** Returns a person's records, generated up to the clock's time when they are read. */
export type RecordsOf<Records> = (reference: PersonReference) => Records

/** @param create returns the records of a member, of which no day is generated yet */
export function createRecordsOf<Records extends Growing<Records>>(
  people: People,
  nowMs: () => number,
  create: (member: Member) => Records,
): RecordsOf<Records> {
  const byUserId = new Map<number, Records>()
  return (reference) => {
    const member = people.memberOf(reference)
    return byUserId.getOrInsertComputed(member.person.userId, () => create(member)).extendTo(nowMs())
  }
}
