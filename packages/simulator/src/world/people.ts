/** The people whose bodies the simulated vendors measure. */
import { drawTraits, enduranceAthlete, officeWorker, wornAlways } from "../model/archetypes.ts"
import { DAY_MS } from "../model/calendar.ts"
import { createLife, type Life } from "../model/life.ts"
import type { Traits } from "../model/traits.ts"

export interface Person {
  /** The vendor's number of this member. */
  readonly userId: number
  readonly email: string
  /** Required on the authorize page when set. */
  readonly password?: string
  readonly firstName: string
  readonly lastName: string
  readonly traits: Traits
}

export interface NewPerson {
  readonly email: string
  readonly password?: string
  readonly firstName?: string
  readonly lastName?: string
  /** Traits of the person; drawn from the seed and the email address when absent. */
  readonly traits?: Traits
  /** `"none"` for a member without any record. @default "generated" */
  readonly history?: "generated" | "none"
  /** Days of history before now; the simulator's own number when absent. */
  readonly days?: number
}

/** A person, their email address or their user id. */
export type PersonReference = Person | string | number

/** A person with everything their records are generated from. */
export interface Member {
  readonly person: Person
  readonly life: Life
  /** Position among the people of this simulator; makes generated ids unique. */
  readonly ordinal: number
  /** When the first record may be; absent for a person without records. */
  readonly memberSinceMs: number | undefined
}

interface History {
  readonly seed: string
  readonly nowMs: () => number
  readonly days: number
  /** First instant of everyone's history, in place of `days`. */
  readonly fromMs: number | undefined
  /** True: drawn people wear the strap every night. */
  readonly wearsAlways: boolean
}

/** User ids look like WHOOP's: small whole numbers that are not dense. */
const FIRST_USER_ID = 10_129
const USER_ID_STEP = 17

const FIRST_NAMES = ["Ada", "Bruno", "Chiara", "Deniz", "Elif", "Farid", "Greta", "Hiro", "Imani", "Jonas"] as const
const LAST_NAMES = ["Adler", "Brandt", "Costa", "Duarte", "Eriksen", "Fischer", "Gupta", "Hansen", "Ito"] as const

export class People {
  readonly #history: History
  readonly #members = new Map<number, Member>()
  readonly #byEmail = new Map<string, Person>()

  constructor(history: History) {
    this.#history = history
  }

  list(): Person[] {
    return [...this.#members.values()].map(({ person }) => person)
  }

  add(input: NewPerson): Person {
    if (typeof input.email !== "string" || !input.email.includes("@"))
      throw new RangeError("a person needs an email address")
    if (this.find(input.email)) throw new RangeError("there is already a person with this email address")
    const ordinal = this.#members.size
    const person: Person = {
      userId: FIRST_USER_ID + USER_ID_STEP * ordinal,
      email: input.email,
      ...(input.password !== undefined && { password: input.password }),
      firstName: input.firstName ?? nameFrom(FIRST_NAMES, ordinal),
      lastName: input.lastName ?? nameFrom(LAST_NAMES, ordinal),
      traits: input.traits ?? this.#draw(input.email),
    }
    this.#members.set(person.userId, {
      person,
      life: createLife(`${this.#history.seed}/${person.email}`, person.traits),
      ordinal,
      memberSinceMs: input.history === "none" ? undefined : this.#memberSinceMs(input.days),
    })
    this.#byEmail.set(person.email, person)
    return person
  }

  /** Adds a drawn person. Who it is follows from the seed and from how many there are already. */
  addOne(given: Omit<NewPerson, "email"> = {}): Person {
    return this.add({ ...given, email: `member-${this.#members.size + 1}@example.com` })
  }

  /** Adds any number of drawn people. Their records are generated on first use. */
  addMany(count: number): Person[] {
    return Array.from({ length: count }, () => this.addOne())
  }

  find(reference: PersonReference): Person | undefined {
    if (typeof reference === "object") return reference
    if (typeof reference === "number") return this.#members.get(reference)?.person
    return this.#byEmail.get(reference) ?? this.#members.get(Number(reference))?.person
  }

  /** Like `find`, but throws for an unknown person. */
  get(reference: PersonReference): Person {
    const person = this.find(reference)
    if (!person) throw new RangeError(`no such person: ${String(reference)}`)
    return person
  }

  memberOf(reference: PersonReference): Member {
    const member = this.#members.get(this.get(reference).userId)
    if (!member) throw new RangeError("this person belongs to another simulator")
    return member
  }

  #draw(email: string): Traits {
    const traits = drawTraits(this.#history.seed, email)
    return this.#history.wearsAlways ? wornAlways(traits) : traits
  }

  #memberSinceMs(days: number | undefined): number {
    if (days === undefined && this.#history.fromMs !== undefined) return this.#history.fromMs
    return this.#history.nowMs() - (days ?? this.#history.days) * DAY_MS
  }
}

function nameFrom(names: readonly string[], ordinal: number): string {
  return names[ordinal % names.length] ?? "Member"
}

/** Adds the two people of every simulator. */
export function addDefaultPeople(people: People): void {
  people.add({ email: "lena@example.com", firstName: "Lena", lastName: "Vogel", traits: enduranceAthlete })
  people.add({ email: "sam@example.com", firstName: "Sam", lastName: "Carter", traits: officeWorker })
}
