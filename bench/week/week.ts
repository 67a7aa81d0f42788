import { rm } from "node:fs/promises"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import {
  type CallPurpose,
  createCallGate,
  migrate,
  openDatabase,
  openPool,
  requestDueSyncs,
  syncConnection,
} from "@restwell/core"
import { startEmbeddedPostgres } from "@restwell/postgres"
import { type CallGate, RateLimited } from "@restwell/providers"
import { createLogger } from "@restwell/server/log"
import type { Person } from "@restwell/simulator"
import { makeFolder } from "@restwell/testing/database"
import { startVendor } from "@restwell/testing/vendor"
import { BUDGET, createWorld, PROVIDER, UNLIMITED, type World } from "@restwell/testing/world"
import { type AwaitedNight, announcedNights, existsAtVendor, missingNights } from "./awaited-nights.ts"
import { callMoments, mostCallsWithin, percentiles } from "./call-moments.ts"
import { createJobQueue } from "./job-queue.ts"

/** WHOOP's limits for one app. */
const LIMITS = { perMinute: 100, perDay: 10_000 }
/** Connections that are synced at a time, as in one process of the service. */
const WORKERS = 6
const HISTORY_DAYS = 14
const CACHE_BYTES = 64_000_000

export interface WeekFigures {
  readonly calls: number
  readonly callsByPurpose: ReadonlyMap<CallPurpose, number>
  readonly busiestMinute: number
  readonly busiestDay: number
  /** From the announcement of a night until the API returns it: p50, p99 and maximum, milliseconds of the simulated clock. */
  readonly budgetWaits: readonly number[]
  /** From the announcement of a night that did not wait for the budget until the API returns it, real milliseconds. */
  readonly readTimes: readonly number[]
  readonly nights: number
  /** Scored nights that the API did not return at the end. */
  readonly missing: number
}

/** Starts a simulated week of this many people with one app of the vendor. */
export async function startWeek(count: number): Promise<Week> {
  await using started = new AsyncDisposableStack()
  const dataDir = await makeFolder("week")
  started.defer(() => rm(dataDir, { recursive: true }))
  const logger = createLogger("error")
  const postgres = await startEmbeddedPostgres({ dataDir, logger, onLost: () => {}, settings: { fsync: "off" } })
  started.defer(() => postgres.stop())
  const pool = openPool({ ...postgres.connection, max: 20 }, () => {})
  started.defer(() => pool.end())
  const database = openDatabase(pool)
  await migrate(database)
  // It refuses no call: the limits are checked afterwards against its log of requests.
  const simulator = await startVendor({ seed: "week", now: new Date("2026-11-02T00:00:00Z"), days: HISTORY_DAYS })
  started.defer(() => simulator.close())
  const queue = createJobQueue(WORKERS)
  const budget = { limits: UNLIMITED }
  const gateFor = (purpose: CallPurpose, userId: string | null): CallGate => ({
    acquire: () =>
      createCallGate({
        database,
        clock: simulator.clock,
        // The clock moves between jobs only: a job without budget ends, and is due again later.
        wait: async (waitMs) => {
          throw new RateLimited("the minute is used up", Math.ceil(waitMs / 1000))
        },
        provider: PROVIDER,
        limits: budget.limits,
        budget: BUDGET,
        purpose,
        userId,
      }).acquire(),
    report: async () => {},
  })
  const world = await createWorld({
    simulator,
    pool,
    gateFor,
    logger,
    hasWebhooks: true,
    cacheBytes: CACHE_BYTES,
    quota: { free: 1_000_000_000, pro: 1_000_000_000 },
    jobs: {
      requestSync: async ({ userId }, urgency = "now") => queue.request(userId, urgency),
      isAnyoneWaiting: async () => queue.isAnyoneWaiting(),
      isSyncing: async () => false,
    },
  })
  started.defer(() => world.close())
  const people = simulator.people.addMany(count)
  return new Week({ world, queue, people, budget, running: started.move() })
}

interface WeekParts {
  readonly world: World
  readonly queue: ReturnType<typeof createJobQueue>
  readonly people: readonly Person[]
  readonly budget: { limits: typeof UNLIMITED }
  readonly running: AsyncDisposableStack
}

export class Week {
  readonly #parts: WeekParts
  readonly #userOf = new Map<number, string>()
  readonly #signal = new AbortController().signal
  #awaited: AwaitedNight[] = []
  #budgetWaits: number[] = []
  #readTimes: number[] = []

  constructor(parts: WeekParts) {
    this.#parts = parts
  }

  /** Connects all people and stores their histories. */
  async connectAll(): Promise<void> {
    const { world, people } = this.#parts
    const { pool } = world.store
    for (const person of people) {
      const userId = await world.addUser()
      await world.authorize(userId, person)
      this.#userOf.set(person.userId, userId)
    }
    do await this.#runDue()
    while ((await pool.query("select from restwell.connection where not history_complete limit 1")).rowCount !== 0)
    // As if all had connected long ago: the read that follows a new history is not part of a usual week.
    await pool.query("update restwell.connection set reconciliations = 1")
  }

  /** From here on the app has WHOOP's limits. */
  async limit(): Promise<void> {
    await this.#parts.world.store.pool.query("delete from restwell.vendor_call")
    this.#parts.budget.limits = LIMITS
  }

  /** Lets time pass step by step, and reads the nights that are announced. */
  async live(durationMs: number, stepMs: number): Promise<void> {
    const { simulator, reader } = this.#parts.world
    const { clock, webhooks } = simulator
    const end = clock.nowMs() + durationMs
    while (clock.nowMs() < end) {
      const deliveriesBefore = webhooks.deliveries.length
      const announcedAt = performance.now()
      clock.advance(stepMs)
      await webhooks.flush()
      const at = { announcedAtMs: clock.nowMs(), announcedAt }
      this.#awaited.push(...announcedNights(webhooks.deliveries.slice(deliveriesBefore), this.#userOf, at))
      await this.#runDue()
      const missing = await missingNights(reader, this.#awaited)
      for (const night of this.#awaited.filter((each) => !missing.includes(each))) this.#recordTimes(night)
      this.#awaited = missing
    }
  }

  /** Counts the calls and times of a run. */
  async measure(run: () => Promise<void>): Promise<WeekFigures> {
    const { world, people } = this.#parts
    const { simulator, store } = world
    await store.pool.query("delete from restwell.vendor_call_count")
    simulator.requestLog.clear()
    this.#budgetWaits = []
    this.#readTimes = []
    await run()
    const { rows } = await store.pool.query<{ purpose: CallPurpose; calls: number }>(
      "select purpose, sum(calls)::int as calls from restwell.vendor_call_count group by purpose order by purpose",
    )
    const moments = callMoments(simulator)
    return {
      calls: moments.length,
      callsByPurpose: new Map(rows.map(({ purpose, calls }) => [purpose, calls])),
      busiestMinute: mostCallsWithin(moments, MINUTE_MS),
      busiestDay: mostCallsWithin(moments, DAY_MS),
      budgetWaits: percentiles(this.#budgetWaits),
      readTimes: percentiles(this.#readTimes),
      nights: this.#budgetWaits.length,
      missing: this.#awaited.filter(({ id }) => existsAtVendor(simulator, people, id)).length,
    }
  }

  close(): Promise<void> {
    return this.#parts.running.disposeAsync()
  }

  async #runDue(): Promise<void> {
    const { world, queue } = this.#parts
    await requestDueSyncs(world.context)
    await queue.run((userId) =>
      syncConnection(world.context, { userId, provider: PROVIDER }, { signal: this.#signal }).then(() => {}),
    )
  }

  #recordTimes({ announcedAtMs, announcedAt }: AwaitedNight): void {
    const nowMs = this.#parts.world.simulator.clock.nowMs()
    this.#budgetWaits.push(nowMs - announcedAtMs)
    if (nowMs === announcedAtMs) this.#readTimes.push(performance.now() - announcedAt)
  }
}
