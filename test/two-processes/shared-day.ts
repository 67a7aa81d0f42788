import type { Person } from "@restwell/simulator"
import type { World } from "@restwell/testing/world"
import { areAllNotified, differencesOf, notifiedRecords, storedVersions } from "./notified-records.ts"
import type { ServiceProcesses } from "./service-processes.ts"

const MINUTE_MS = 60_000
/** The window of the per-minute budget, plus the second that the gate adds to it. */
const BUDGET_MS = 61_000

/** The passing of time in a run with two processes. */
export class SharedDay {
  readonly floods: { deliveries: number; tookMs: number }[] = []
  readonly #world: World
  readonly #processes: ServiceProcesses

  constructor(world: World, processes: ServiceProcesses) {
    this.#world = world
    this.#processes = processes
  }

  /** Moves the clocks in one step, and waits until the workers can do no more at the new time. */
  async pass(milliseconds: number): Promise<void> {
    const { webhooks } = this.#world.simulator
    const before = webhooks.deliveries.length
    await this.#move(milliseconds)
    const startMs = performance.now()
    await webhooks.flush()
    this.floods.push({ deliveries: webhooks.deliveries.length - before, tookMs: performance.now() - startMs })
    await this.#processes.untilIdle()
  }

  /** Passes minutes until all histories are complete. Returns that time. */
  async untilHistoriesAreDone(): Promise<number> {
    while ((await this.#countHistories()) > 0) await this.pass(BUDGET_MS)
    return this.#world.simulator.clock.nowMs()
  }

  /** Passes minutes until all events are processed. A day is more than enough. */
  async untilNothingWaits(): Promise<void> {
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const isDelivered = this.#world.simulator.webhooks.deliveries.every(({ state }) => state === "delivered")
      if (isDelivered && (await this.countWaiting()) === 0) return
      await this.pass(BUDGET_MS)
    }
    throw new Error("events still wait after a day")
  }

  /** Stops a process while events come in, and starts it again once the vendor has failed to deliver an event to it. */
  async passWithRestart(milliseconds: number): Promise<number | null> {
    const [first] = this.#processes.all
    await this.#move(milliseconds)
    const code = await first?.stop()
    await this.#processes.untilIdle()
    const { webhooks } = this.#world.simulator
    do await this.pass(milliseconds)
    while (webhooks.deliveries.every(({ state }) => state !== "waiting"))
    await first?.start()
    await this.untilNothingWaits()
    return code ?? null
  }

  /** Compares the stored records of all people with the vendor's, each at a time when the vendor has announced all changes. */
  async compareAll(members: ReadonlyMap<string, Person>): Promise<Map<string, string[]>> {
    const differences = new Map<string, string[]>()
    const left = new Map(members)
    for (let round = 0; left.size > 0 && round < 50; round += 1) {
      await this.untilNothingWaits()
      for (const [userId, person] of left) {
        const records = this.#world.simulator.records(person)
        if (!areAllNotified(records)) continue
        left.delete(userId)
        const stored = await storedVersions(this.#world, userId)
        differences.set(userId, differencesOf(stored, notifiedRecords(records, stored)))
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
