import { setTimeout as wait } from "node:timers/promises"
import type { Simulator } from "@restwell/simulator"
import { type Random, randomFor } from "../../../packages/simulator/src/model/random.ts"
import { Customer, type Violated } from "./customer.ts"
import { editSomething } from "./edit-something.ts"

const READERS = 4
const EDIT_EVERY_MS = 120
const EXPIRE_EVERY_MS = 900
const SHORTEST_TOKEN_LIFE_MS = 5_000
const LOOK_EVERY_MS = 60
const READ_EVERY_MS = 30
const TRY_AGAIN_MS = 50

/** Days of history that somebody brings along. */
const HISTORY_DAYS = { fewest: 300, most: 420 }

const SEARCHES = ["?type=sleep&days=30", "?type=recovery&days=7", "?type=workout&days=90", ""] as const

export interface LifeOptions {
  readonly seed: string
  readonly simulator: Simulator
  /** Where the service answers, when it does. */
  readonly urls: readonly [string, ...string[]]
  /** How many people shall have come by now. */
  readonly wanted: () => number
  readonly violated: Violated
}

/** What goes on while the service is killed: people come with their histories, records change, tokens expire, keys are read with. */
export class Life {
  readonly customers: Customer[] = []
  readonly #options: LifeOptions
  readonly #loops: readonly Promise<void>[]
  readonly #expiredMs = new Map<Customer, number>()
  #isEnding = false
  #isAbandoned = false
  #readsInFlight = 0

  constructor(options: LifeOptions) {
    this.#options = options
    this.#loops = [
      this.#repeat("newcomers", TRY_AGAIN_MS, () => this.#bringOne()),
      this.#repeat("newcomers", TRY_AGAIN_MS, () => this.#bringOne()),
      this.#repeat("edits", EDIT_EVERY_MS, (random) => this.#edit(random)),
      this.#repeat("expiries", EXPIRE_EVERY_MS, (random) => this.#expire(random)),
      this.#repeat("looks", LOOK_EVERY_MS, (random) => this.#look(random)),
      ...Array.from({ length: READERS }, (_, reader) =>
        this.#repeat(`reader ${reader}`, READ_EVERY_MS, (random) => this.#read(random, reader)),
      ),
    ]
  }

  get readsInFlight(): number {
    return this.#readsInFlight
  }

  /** People who have all that they came for. */
  get joined(): Customer[] {
    return this.customers.filter((customer) => customer.hasJoined)
  }

  /** Lets everything that has begun come to its end; who was joining has joined. */
  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#loops)
  }

  /** Ends without waiting, whatever is unfinished. */
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
    const { simulator, seed, wanted, violated } = this.#options
    if (this.customers.length >= wanted()) return
    const email = `member-${this.customers.length + 1}@vendor.example`
    const random = randomFor(seed, email)
    const days = random.integer(HISTORY_DAYS.fewest, HISTORY_DAYS.most)
    const customer = new Customer(simulator.people.add({ email, days }), violated)
    this.customers.push(customer)
    while (!customer.hasJoined && !this.#isAbandoned) {
      await customer.join(this.#anyUrl(random))
      await wait(TRY_AGAIN_MS)
    }
  }

  #edit(random: Random): void {
    const customer = pick(random, this.joined)
    if (customer) editSomething(this.#options.simulator, customer.person, random)
  }

  #expire(random: Random): void {
    const { simulator } = this.#options
    const customer = pick(
      random,
      this.joined.filter((each) => this.#hasOldToken(each)),
    )
    if (!customer) return
    this.#expiredMs.set(customer, simulator.clock.nowMs())
    simulator.tokens.expireAccess(customer.person)
  }

  /** One that ends before the call that it was renewed for is made would look like a vendor that fails, and cost a minute's pause. */
  #hasOldToken(customer: Customer): boolean {
    const { requestLog, clock } = this.#options.simulator
    const expiredMs = this.#expiredMs.get(customer)
    if (expiredMs === undefined) return true
    const renewal = requestLog.entries.findLast(
      ({ grantType, personId, status }) =>
        grantType === "refresh_token" && personId === customer.person.userId && status === 200,
    )
    const renewedMs = Date.parse(renewal?.at ?? "")
    return renewedMs > expiredMs && clock.nowMs() - renewedMs >= SHORTEST_TOKEN_LIFE_MS
  }

  async #look(random: Random): Promise<void> {
    await pick(random, this.joined)?.look(this.#anyUrl(random))
  }

  /** Each reader has keys of its own, so that the reads with one key come one after another. */
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
