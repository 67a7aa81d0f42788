/** The members of the simulated WHOOP. */
import { drawTraits, enduranceAthlete, officeWorker, wornAlways } from "../model/archetypes.ts"
import type { Traits } from "../model/traits.ts"
import { DAY_MS } from "../model/units.ts"
import { PersonRecords } from "../whoop/records/person-records.ts"
import type { WireBody, WireProfile } from "../whoop/records/wire.ts"

export interface Person {
  /** WHOOP's number of this member. */
  readonly userId: number
  readonly email: string
  /** Asked for on the authorize page when set. */
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
  /** Traits of the person; drawn from the seed and the e-mail address when absent. */
  readonly traits?: Traits
  /** `"none"` for a member without any record. @default "generated" */
  readonly history?: "generated" | "none"
  /** Days of history before now; the simulator's own number when absent. */
  readonly days?: number
}

/** A person, their e-mail address or their user id. */
export type PersonReference = Person | string | number

export interface History {
  readonly seed: string
  readonly nowMs: () => number
  readonly days: number
  /** First instant of everyone's history, in place of `days`. */
  readonly fromMs: number | undefined
  /** Whether drawn people wear the strap without a gap. */
  readonly wearsAlways: boolean
}

/** User ids look like WHOOP's: small whole numbers that are not dense. */
const FIRST_USER_ID = 10_129
const USER_ID_STEP = 17

const FIRST_NAMES = ["Ada", "Bruno", "Chiara", "Deniz", "Elif", "Farid", "Greta", "Hiro", "Imani", "Jonas"] as const
const LAST_NAMES = ["Adler", "Brandt", "Costa", "Duarte", "Eriksen", "Fischer", "Gupta", "Hansen", "Ito"] as const

export class People {
  readonly #history: History
  readonly #members = new Map<number, { person: Person; records: PersonRecords }>()
  readonly #byEmail = new Map<string, Person>()

  constructor(history: History) {
    this.#history = history
  }

  list(): Person[] {
    return [...this.#members.values()].map(({ person }) => person)
  }

  add(input: NewPerson): Person {
    if (typeof input.email !== "string" || !input.email.includes("@"))
      throw new RangeError("a person needs an e-mail address")
    if (this.find(input.email)) throw new RangeError("there is already a person with this e-mail address")
    const ordinal = this.#members.size
    const person: Person = {
      userId: FIRST_USER_ID + USER_ID_STEP * ordinal,
      email: input.email,
      ...(input.password !== undefined && { password: input.password }),
      firstName: input.firstName ?? nameFrom(FIRST_NAMES, ordinal),
      lastName: input.lastName ?? nameFrom(LAST_NAMES, ordinal),
      traits: input.traits ?? this.#draw(input.email),
    }
    const records = new PersonRecords({
      seed: `${this.#history.seed}/${person.email}`,
      traits: person.traits,
      userId: person.userId,
      ordinal,
      memberSinceMs: input.history === "none" ? undefined : this.#memberSinceMs(input.days),
    })
    this.#members.set(person.userId, { person, records })
    this.#byEmail.set(person.email, person)
    return person
  }

  /** Adds any number of drawn people; nothing is generated before somebody asks for it. */
  addMany(count: number): Person[] {
    const first = this.#members.size + 1
    return Array.from({ length: count }, (_, index) => this.add({ email: `member-${first + index}@example.com` }))
  }

  find(reference: PersonReference): Person | undefined {
    if (typeof reference === "object") return reference
    if (typeof reference === "number") return this.#members.get(reference)?.person
    return this.#byEmail.get(reference) ?? this.#members.get(Number(reference))?.person
  }

  /** Like find, but a stranger is an error. */
  get(reference: PersonReference): Person {
    const person = this.find(reference)
    if (!person) throw new RangeError(`no such person: ${String(reference)}`)
    return person
  }

  /** Everything recorded about a person, generated up to now. */
  recordsOf(reference: PersonReference): PersonRecords {
    const member = this.#members.get(this.get(reference).userId)
    if (!member) throw new RangeError("this person belongs to another simulator")
    return member.records.extendTo(this.#history.nowMs())
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

/** The two people everybody meets first. */
export function addDefaultPeople(people: People): void {
  people.add({ email: "lena@example.com", firstName: "Lena", lastName: "Vogel", traits: enduranceAthlete })
  people.add({ email: "sam@example.com", firstName: "Sam", lastName: "Carter", traits: officeWorker })
}

/** Returns a person's profile as WHOOP writes it. */
export function profileOf(person: Person): WireProfile {
  return {
    user_id: person.userId,
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
  }
}

/** Returns a person's body measurements as WHOOP writes them. */
export function bodyOf({ traits }: Person): WireBody {
  return {
    height_meter: traits.body.heightMeters,
    weight_kilogram: traits.body.weightKilograms,
    max_heart_rate: traits.body.maxHeartRate,
  }
}
