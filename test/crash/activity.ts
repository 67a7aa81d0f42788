import { setTimeout as wait } from "node:timers/promises"
import { type Random, randomFor, type Simulator } from "@restwell/simulator"
import type { VendorUnderTest } from "@restwell/testing/vendor"
import { isRefreshed } from "../faults/vendor-faults.ts"
import { Customer, type ReportViolation } from "./customer.ts"
import { editRecord } from "./edit-record.ts"

const READERS = 4
const EDIT_EVERY_MS = 120
const EXPIRE_EVERY_MS = 900
const SHORTEST_TOKEN_LIFE_MS = 5_000
const LOOK_EVERY_MS = 60
/** Each person has one request in a minute. The others are refused. */
const REQUEST_EVERY_MS = 1_000
const READ_EVERY_MS = 30
const TRY_AGAIN_MS = 50

/** Days of history that a new person has. */
const HISTORY_DAYS = { fewest: 300, most: 420 }
/** At midnight Polar serves one old night less, and a run may last until then. */
const POLAR_HISTORY_DAYS = { fewest: 15, most: 25 }

const SEARCHES = ["?type=sleep&days=30", "?type=recovery&days=7", "?type=workout&days=90", ""] as const

export interface ActivityOptions {
  readonly seed: string
  /** WHOOP, which has the people. */
  readonly simulator: Simulator
  readonly vendor: VendorUnderTest
  /** The addresses of the service. */
  readonly urls: readonly [string, ...string[]]
  /** How many people should have joined by now. */
  readonly wanted: () => number
  readonly reportViolation: ReportViolation
}

/**
 * Activity while the service is killed: people join with their histories, records change, tokens expire, and keys are used. Where no webhook
 * announces a change, people request syncs.
 */
export class Activity {
  readonly customers: Customer[] = []
  readonly #options: ActivityOptions
  readonly #loops: readonly Promise<void>[]
  readonly #expiredMs = new Map<Customer, number>()
  #isEnding = false
  #isAbandoned = false
  #readsInFlight = 0

  constructor(options: ActivityOptions) {
    this.#options = options
    const { provider, recentIds } = options.vendor
    this.#loops = [
      this.#repeat("newcomers", TRY_AGAIN_MS, () => this.#bringOne()),
      this.#repeat("newcomers", TRY_AGAIN_MS, () => this.#bringOne()),
      this.#repeat("edits", EDIT_EVERY_MS, (random) => this.#edit(random)),
      ...(isRefreshed(provider) ? [this.#repeat("expiries", EXPIRE_EVERY_MS, (random) => this.#expire(random))] : []),
      ...(recentIds ? [this.#repeat("requests", REQUEST_EVERY_MS, (random) => this.#request(random))] : []),
      this.#repeat("looks", LOOK_EVERY_MS, (random) => this.#look(random)),
      ...Array.from({ length: READERS }, (_, reader) =>
        this.#repeat(`reader ${reader}`, READ_EVERY_MS, (random) => this.#read(random, reader)),
      ),
    ]
  }

  get readsInFlight(): number {
    return this.#readsInFlight
  }

  /** People who have an account, a connection and a key. */
  get joined(): Customer[] {
    return this.customers.filter((customer) => customer.hasJoined)
  }

  /** Stops, once everything that has begun is finished. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#loops)
  }

  /** Stops without waiting for what has begun. */
  abandon(): void {
    this.#isEnding = true
    this.#isAbandoned = true
  }

  async #repeat(what: string, everyMs: number, once: (random: Random) => Promise<void> | void): Promise<void> {
    const random = randomFor(this.#options.seed, what)
    while (!this.#isEnding) {
      await once(random)
      await wait(everyMs)
    }
  }

  async #bringOne(): Promise<void> {
    const { simulator, vendor, seed, wanted, reportViolation } = this.#options
    if (this.customers.length >= wanted()) return
    const email = `member-${this.customers.length + 1}@vendor.example`
    const random = randomFor(seed, email)
    const { fewest, most } = vendor.provider === "polar" ? POLAR_HISTORY_DAYS : HISTORY_DAYS
    const days = random.integer(fewest, most)
    const customer = new Customer(simulator.people.add({ email, days }), vendor, reportViolation)
    this.customers.push(customer)
    while (!customer.hasJoined && !this.#isAbandoned) {
      await customer.join(this.#anyUrl(random))
      await wait(TRY_AGAIN_MS)
    }
  }

  #edit(random: Random): void {
    const customer = pick(random, this.joined)
    if (customer) editRecord(this.#options.vendor, customer.person, random)
  }

  #expire(random: Random): void {
    const { simulator } = this.#options.vendor
    const customer = pick(
      random,
      this.joined.filter((each) => this.#hasOldToken(each)),
    )
    if (!customer) return
    this.#expiredMs.set(customer, simulator.clock.nowMs())
    simulator.tokens.expireAccess(customer.person)
  }

  /** A token that expires before its first use looks like a failing vendor, which the service avoids for a minute. */
  #hasOldToken(customer: Customer): boolean {
    const { requestLog, clock } = this.#options.vendor.simulator
    const expiredMs = this.#expiredMs.get(customer)
    if (expiredMs === undefined) return true
    const renewal = requestLog.entries.findLast(
      ({ grantType, personId, status }) =>
        grantType === "refresh_token" && personId === customer.person.userId && status === 200,
    )
    const renewedMs = Date.parse(renewal?.at ?? "")
    return renewedMs > expiredMs && clock.nowMs() - renewedMs >= SHORTEST_TOKEN_LIFE_MS
  }

  async #request(random: Random): Promise<void> {
    await pick(random, this.joined)?.requestSync(this.#anyUrl(random))
  }

  async #look(random: Random): Promise<void> {
    await pick(random, this.joined)?.look(this.#anyUrl(random))
  }

  /** Each reader has its own keys, so that no two reads use one key at the same time. */
  async #read(random: Random, reader: number): Promise<void> {
    const own = this.customers.filter((_, index) => index % READERS === reader)
    const customer = pick(
      random,
      own.filter(({ hasJoined }) => hasJoined),
    )
    if (!customer) return
    this.#readsInFlight += 1
    await customer.read(this.#anyUrl(random), random.pick(SEARCHES))
    this.#readsInFlight -= 1
  }

  #anyUrl(random: Random): string {
    const [first, ...more] = this.#options.urls
    return random.pick([first, ...more])
  }
}

function pick<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items[random.integer(0, items.length - 1)]
}
