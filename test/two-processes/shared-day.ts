import type { Person } from "@restwell/simulator"
import type { ServiceProcesses } from "./service-processes.ts"
import { differencesOf, isAllTold, storedVersions, toldTruth } from "./told-truth.ts"
import type { World } from "./world.ts"

const MINUTE_MS = 60_000
/** A minute's window of the budget, and the second more that the gate keeps from it. */
const BUDGET_MS = 61_000

/** Time as the two processes see it pass. */
export class SharedDay {
  readonly floods: { deliveries: number; tookMs: number }[] = []
  readonly #world: World
  readonly #processes: ServiceProcesses

  constructor(world: World, processes: ServiceProcesses) {
    this.#world = world
    this.#processes = processes
  }

  /** Lets time pass at once, and the workers do what they can at the moment it leads to. */
  async pass(milliseconds: number): Promise<void> {
    const { webhooks } = this.#world.simulator
    const before = webhooks.deliveries.length
    await this.#move(milliseconds)
    const startMs = performance.now()
    await webhooks.flush()
    this.floods.push({ deliveries: webhooks.deliveries.length - before, tookMs: performance.now() - startMs })
    await this.#processes.settle()
  }

  /** Minute by minute; returns when they were done. */
  async untilHistoriesAreDone(): Promise<number> {
    while ((await this.#countHistories()) > 0) await this.pass(BUDGET_MS)
    return this.#world.simulator.clock.nowMs()
  }

  /** Minute by minute, as the budget grows; a day is more than enough. */
  async untilNothingWaits(): Promise<void> {
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const isDelivered = this.#world.simulator.webhooks.deliveries.every(({ state }) => state === "delivered")
      if (isDelivered && (await this.countWaiting()) === 0) return
      await this.pass(BUDGET_MS)
    }
    throw new Error("something still waits after a day of minutes")
  }

  /** One of the processes is told to end while events come in, and is away until something was told that it did not hear. */
  async passWithRestart(milliseconds: number): Promise<number | null> {
    const [first] = this.#processes.all
    await this.#move(milliseconds)
    const code = await first?.stop()
    await this.#processes.settle()
    const { webhooks } = this.#world.simulator
    do await this.pass(milliseconds)
    while (webhooks.deliveries.every(({ state }) => state !== "waiting"))
    await first?.start()
    await this.untilNothingWaits()
    return code ?? null
  }

  /** Compares everybody's store with the vendor, each at a moment when nothing of theirs is untold. */
  async compareAll(members: ReadonlyMap<string, Person>): Promise<Map<string, string[]>> {
    const differences = new Map<string, string[]>()
    const left = new Map(members)
    for (let round = 0; left.size > 0 && round < 50; round += 1) {
      await this.untilNothingWaits()
      for (const [userId, person] of left) {
        const records = this.#world.simulator.records(person)
        if (!isAllTold(records)) continue
        left.delete(userId)
        const stored = await storedVersions(this.#world, userId)
        differences.set(userId, differencesOf(stored, toldTruth(records, stored)))
      }
      if (left.size > 0) await this.pass(10 * MINUTE_MS)
    }
    return differences
  }

  async countWaiting(): Promise<number> {
    return this.#count("select count(*)::int as count from restwell.vendor_event")
  }

  #countHistories(): Promise<number> {
    return this.#count("select count(*)::int as count from restwell.connection where not history_complete")
  }

  async #count(query: string): Promise<number> {
    const { rows } = await this.#world.store.pool.query<{ count: number }>(query)
    return rows[0]?.count ?? 0
  }

  async #move(milliseconds: number): Promise<void> {
    const { simulator, store } = this.#world
    await store.pool.query("update test_log.clock set now = $1", [new Date(simulator.clock.nowMs() + milliseconds)])
    await this.#processes.move(milliseconds)
  }
}
