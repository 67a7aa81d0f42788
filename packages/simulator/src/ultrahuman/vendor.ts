/**
 * Ultrahuman's tokens, errors and zones. A token is the whole Authorization header, without the word Bearer.
 * @see https://vision.ultrahuman.com/developer-docs
 */
import type { FastifyRequest } from "fastify"
import { ReplyError } from "../http/vendor-api.ts"
import { randomFor } from "../model/random.ts"
import type { CallsOfSeconds } from "../vendor/calls-of-seconds.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { RecordsOf } from "../world/growing-records.ts"
import type { People, Person, PersonReference } from "../world/people.ts"
import type { PersonDays } from "./days.ts"

export interface UltrahumanOptions {
  /** `dates` is a map of dates with the zone, `list` the list of one date without it. @default "dates" */
  readonly envelope?: "dates" | "list"
  /** Of a token. One more is refused, without a time to wait. @default no limit */
  readonly callsPerSecond?: number
}

export function ultrahumanError(status: number, error: string, headers: Readonly<Record<string, string>> = {}) {
  return new ReplyError(status, JSON.stringify({ error }), { "content-type": "application/json", ...headers })
}

export const tooMany = (): ReplyError => ultrahumanError(429, "Too many requests", { "Retry-After": "60" })

/** `claims` has the form of a JWT and names its owner. `opaque` names nobody. */
export type TokenForm = "claims" | "opaque"

/** The personal tokens of people. A new one ends the old one. */
export class PersonalTokens {
  readonly #people: People
  readonly #newest = new Map<number, { readonly issued: number; readonly form: TokenForm }>()

  constructor(people: People) {
    this.#people = people
  }

  /** Returns a person's token. */
  of(reference: PersonReference): string {
    const { userId, email } = this.#people.get(reference)
    const { issued, form } = this.#newestOf(userId)
    const part = (value: object) => Buffer.from(JSON.stringify(value), "utf8").toString("base64url")
    const signature = randomFor("ultrahuman token", email, issued).uuid().replaceAll("-", "")
    if (form === "opaque") return signature
    return `${part({ alg: "HS256" })}.${part({ sub: String(userId), issued })}.${signature}`
  }

  /** Ends a person's token, as a new one in the developer portal does. */
  renew(reference: PersonReference, form: TokenForm): void {
    const { userId } = this.#people.get(reference)
    this.#newest.set(userId, { issued: this.#newestOf(userId).issued + 1, form })
  }

  #newestOf(userId: number): { readonly issued: number; readonly form: TokenForm } {
    return this.#newest.get(userId) ?? { issued: 0, form: "claims" }
  }

  ownerOf(token: string): Person | undefined {
    return this.#people.list().find((person) => this.of(person) === token)
  }
}

/** Where each person's phone is now. */
export class Zones {
  readonly #zones = new Map<number, string>()
  readonly #people: People

  constructor(people: People) {
    this.#people = people
  }

  of(reference: PersonReference): string {
    const { userId, traits } = this.#people.get(reference)
    return this.#zones.get(userId) ?? traits.homeZone
  }

  /** The phone has arrived in another zone: from now on every date is read with it. */
  move(reference: PersonReference, zone: string): void {
    this.#zones.set(this.#people.get(reference).userId, zone)
  }
}

/** Returns the owner of the request's token. Throws 401 for a token that nobody has, and for one behind the word Bearer. */
export function authorize({ tokens, seconds }: UltrahumanVendor, request: FastifyRequest): Person {
  const owner = tokens.ownerOf(request.headers.authorization ?? "")
  if (!owner) throw ultrahumanError(401, "Invalid token")
  if (!seconds.take(owner.userId)) throw ultrahumanError(429, "Too many requests")
  return owner
}

/** Dates that are answered with an error, whoever asks: the vendor cannot read one of somebody's. */
export class FailingDates {
  readonly #statuses = new Map<string, number>()

  /** @param status undefined for a date that answers again */
  set(date: string, status: number | undefined): void {
    if (status === undefined) this.#statuses.delete(date)
    else this.#statuses.set(date, status)
  }

  /** Throws the error of a date that fails. */
  require(date: string): void {
    const status = this.#statuses.get(date)
    if (status !== undefined) throw ultrahumanError(status, "Something went wrong")
  }
}

/** The state that all parts of the simulated Ultrahuman share. */
export interface UltrahumanVendor {
  readonly options: UltrahumanOptions
  readonly clock: SimulatedClock
  readonly people: People
  readonly tokens: PersonalTokens
  readonly zones: Zones
  readonly failing: FailingDates
  readonly seconds: CallsOfSeconds
  readonly daysOf: RecordsOf<PersonDays>
}
