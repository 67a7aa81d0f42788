import type { People, PersonReference } from "../../people/people.ts"
import { PersonRecords } from "./person-records.ts"

/** WHOOP's records of all members, generated up to the clock's time when they are read. */
export class MemberRecords {
  readonly #people: People
  readonly #nowMs: () => number
  readonly #byUserId = new Map<number, PersonRecords>()

  constructor(people: People, nowMs: () => number) {
    this.#people = people
    this.#nowMs = nowMs
  }

  of(reference: PersonReference): PersonRecords {
    const member = this.#people.memberOf(reference)
    const { userId } = member.person
    const records = this.#byUserId.get(userId) ?? new PersonRecords(member)
    this.#byUserId.set(userId, records)
    return records.extendTo(this.#nowMs())
  }
}
