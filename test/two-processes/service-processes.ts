import { setTimeout as sleep } from "node:timers/promises"
import type { World } from "@restwell/testing/world"
import { ServiceProcess } from "./service-process.ts"

/** Processes of one service, with one clock for them and for the vendor. */
export interface ServiceProcesses {
  readonly all: readonly ServiceProcess[]
  /** Moves all clocks at once, when no call is on its way to the vendor: no call is sent at one time and received at another. */
  move(milliseconds: number): Promise<void>
  /** Resolves when all webhooks are delivered and no worker can do more at this time. */
  untilIdle(): Promise<void>
  close(): Promise<void>
}

/** The processes are idle when their state is the same this many times in a row. */
const SAME_STATES = 4
/** The same while a job waits: behind a pooler a worker looks for jobs once a second. */
const SAME_STATES_BEFORE_A_JOB = 150
const BETWEEN_STATES_MS = 10

/** A call takes milliseconds. This is a minute. */
const MAX_PAUSES = 20_000
const BETWEEN_PAUSES_MS = 3
/** On a busy machine the database has read a statement from its socket after this time, so that it shows as active. */
const STATEMENT_READ_MS = 50

/** Starts processes on the database and vendor of a world. All their waits are on the vendor's clock. */
export async function startServiceProcesses(
  world: World,
  count: number,
  environment: Readonly<Record<string, string>>,
): Promise<ServiceProcesses> {
  const { simulator } = world
  const all = Array.from({ length: count }, (_, index) => new ServiceProcess(index, world, environment))
  await Promise.all(all.map((each) => each.start()))
  const running = () => all.filter(({ isRunning }) => isRunning)
  const calls = new VendorCalls(world)
  return {
    all,
    async move(milliseconds) {
      for (let attempt = 0; attempt < MAX_PAUSES; attempt += 1) {
        const paused = running()
        await Promise.all(paused.map((each) => each.pause()))
        const isQuiet = await calls.areQuiet()
        if (isQuiet) simulator.clock.advance(milliseconds)
        for (const each of paused) each.resume(simulator.clock.nowMs())
        if (isQuiet) return
        await sleep(BETWEEN_PAUSES_MS)
      }
      throw new Error("a call that was taken from the budget has not arrived at the vendor")
    },
    async untilIdle() {
      await simulator.webhooks.flush()
      let before = ""
      const isIdle = async (same: number): Promise<boolean> =>
        same >= SAME_STATES_BEFORE_A_JOB || (same >= SAME_STATES && !(await doesJobWait(world)))
      for (let same = 0; !(await isIdle(same)); ) {
        await sleep(BETWEEN_STATES_MS)
        const states = await Promise.all(running().map((each) => each.readState()))
        const now = JSON.stringify([simulator.requestLog.entries.length, all.map(({ jobs }) => jobs.length), states])
        same = now === before ? same + 1 : 0
        before = now
      }
    },
    async close() {
      await Promise.all(all.map((each) => each.close()))
    },
  }
}

async function doesJobWait({ store }: World): Promise<boolean> {
  const { rowCount } = await store.pool.query("select from restwell.job where claim is null limit 1")
  return rowCount === 1
}

/** The calls that count against the vendor's limits. */
class VendorCalls {
  readonly #world: World
  #entries = 0
  #calls = 0

  constructor(world: World) {
    this.#world = world
  }

  /** True while no call is being taken from the budget or on its way. Requires that the processes are paused. */
  async areQuiet(): Promise<boolean> {
    if (!(await this.#haveAllArrived())) return false
    await sleep(STATEMENT_READ_MS)
    return this.#haveAllArrived()
  }

  /** True when the vendor has answered every call that was taken from the budget. */
  async #haveAllArrived(): Promise<boolean> {
    const { rows } = await this.#world.store.pool.query<{ taken: number; taking: number }>(`
      select coalesce(sum(calls), 0)::int as taken,
        (select count(*)::int from pg_stat_activity
         where datname = current_database() and state = 'active' and query like '%take_vendor_call(%' and pid <> pg_backend_pid()) as taking
      from restwell.vendor_call_count`)
    return rows[0]?.taking === 0 && rows[0].taken === this.#answered()
  }

  /** How many the vendor has answered. Undefined while it is answering one. */
  #answered(): number | undefined {
    const { entries } = this.#world.simulator.requestLog
    for (; this.#entries < entries.length; this.#entries += 1) {
      const entry = entries[this.#entries]
      if (entry?.status === undefined) return undefined
      if (isCounted(entry)) this.#calls += 1
    }
    return this.#calls
  }
}

/** True for calls that count against the limits: all but those for tokens. */
export const isCounted = ({ path }: { readonly path: string }): boolean => path.startsWith("/developer/")
