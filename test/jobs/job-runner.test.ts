// One way in which processes share work: a job runs once at a time, is never lost, begins when it is announced, and idle processes are quiet.
import { randomUUID } from "node:crypto"
import {
  addJob,
  type ClaimedJob,
  type Clock,
  claimJob,
  type DueTime,
  holdJob,
  JobRunner,
  type JobWork,
  openDatabase,
  openPool,
  readDatabaseState,
} from "@restwell/core"
import { queuePool } from "@restwell/server/pools"
import { waitInRealTime } from "@restwell/server/wait"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"

let world: World
let userId: string
const started: (() => Promise<void>)[] = []
beforeAll(async () => {
  world = await createWorld({ days: 1 })
  userId = await world.addUser()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((stop) => stop()))
  await world.store.pool.query("delete from restwell.job")
})
afterAll(() => world.close())

const add = (key: string, priority = 0) =>
  addJob(world.context, { kind: "sync", key, userId, priority, due: "at_once" })

const jobs = async () => (await world.store.pool.query("select key, claim from restwell.job order by number")).rows

type Run = (job: ClaimedJob, options: { readonly signal: AbortSignal }) => Promise<unknown>

interface ProcessOptions {
  readonly run: Run
  /** When to run a job again. */
  readonly again?: (job: ClaimedJob) => DueTime | undefined
  readonly addDue?: JobWork["addDue"]
  readonly places?: number
  /** @default the world's, which stands still */
  readonly clock?: Clock
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
  /** Until a run shows again that it lives. */
  readonly untilSign?: () => Promise<void>
}

/** A process as the service has it, on connections of its own. */
function startProcess(options: ProcessOptions): JobRunner {
  const { run, again, addDue, places = 2, wait = waitInRealTime, untilSign, clock = world.context.clock } = options
  const pool = openPool({ ...world.store.connection, ...queuePool(() => runner.ring()) }, () => {})
  const free = Array.from({ length: places }, () => ({ kind: "sync", minPriority: 0 }) as const)
  const runner = new JobRunner({
    context: { database: openDatabase(pool), clock, wait: untilSign ?? (async () => never) },
    onFailure: () => {},
    wait,
    lookEveryMs: 30_000,
  })
  runner.start({
    addDue: addDue ?? (async () => undefined),
    places: () => free,
    run: {
      sync: (job) => async (signal) => {
        await run(job, { signal })
        return again?.(job)
      },
    },
  })
  started.push(async () => {
    await runner.stop()
    await pool.end()
  })
  return runner
}

const never = new Promise<never>(() => {})
/** The clock does not move, so a job that begins was announced. */
const noTime = (_milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason))
  })

test("of many processes one runs a job, each job once, as soon as it is announced", async () => {
  const runs: string[] = []
  for (let count = 0; count < 4; count += 1)
    startProcess({
      wait: noTime,
      run: async ({ key }) => runs.push(key),
    })
  const keys = Array.from({ length: 60 }, () => randomUUID())
  await Promise.all(keys.map((key) => add(key)))
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
  expect(runs.toSorted()).toEqual(keys.toSorted())
})

test("a claim takes one job, also where PostgreSQL expects no more than one in the queue", async () => {
  const keys = Array.from({ length: 6 }, () => randomUUID())
  await add(keys[0] ?? "")
  await world.store.pool.query("vacuum analyze restwell.job")
  for (const key of keys.slice(1)) await add(key)
  const runs: string[] = []
  startProcess({ wait: noTime, places: 1, run: async ({ key }) => runs.push(key) })
  await expect.poll(jobs, { timeout: 10_000 }).toEqual([])
  expect(runs).toEqual(keys)
})

test.each([1, 2, 3])(
  "a job that becomes due while the queue is looked at begins at once, after %i readings of the clock",
  async (readings) => {
    const nowMs = world.context.clock.now().getTime()
    await addJob(world.context, { kind: "sync", key: "one", userId, priority: 0, due: new Date(nowMs + 1_000) })
    let count = 0
    const now = () => {
      count += 1
      return new Date(nowMs + (count > readings ? 2_000 : 0))
    }
    startProcess({ clock: { now }, run: async () => {} })
    // Long before a process looks by itself.
    await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
  },
)

test("a job that is asked for while it runs, runs once more afterwards", async () => {
  const first = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  let count = 0
  const run = async () => {
    count += 1
    running += 1
    most = Math.max(most, running)
    if (count === 1) await first.promise
    running -= 1
  }
  for (let process = 0; process < 2; process += 1) startProcess({ wait: noTime, run })
  await add("one")
  await expect.poll(() => count, { timeout: 20_000 }).toBe(1)
  for (let again = 0; again < 3; again += 1) await add("one")
  expect(count).toBe(1)
  first.resolve()
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
  expect({ count, most }).toEqual({ count: 2, most: 1 })
})

test("the job of a run that shows no life is run by another one, and the first one is stopped", async () => {
  const sign = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  startProcess({
    wait: noTime,
    places: 1,
    untilSign: () => sign.promise,
    run: async (_job, { signal }) => {
      signal.addEventListener("abort", () => lost.resolve())
      begun.resolve()
      await lost.promise
    },
  })
  await add("one")
  await begun.promise
  await world.store.pool.query("update restwell.job set alive_at = now() - interval '16 seconds'")
  const taken = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  startProcess({
    wait: noTime,
    run: async () => {
      taken.resolve()
      await end.promise
    },
  })
  await taken.promise
  sign.resolve()
  await lost.promise
  expect((await jobs())[0]).toMatchObject({ key: "one", claim: expect.any(String) })
  end.resolve()
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
})

test("a run that could not say for 15 seconds that it lives is aborted, and its job is run again", async () => {
  const pool = openPool({ ...world.store.connection, ...queuePool() }, () => {})
  const database = openDatabase(pool)
  await add("one")
  const job = await claimJob({ database }, [{ kind: "sync", minPriority: 0 }], world.context.clock.now())
  if (!job) throw new Error("no job waits")
  const away = vi.spyOn(pool, "connect").mockImplementation(() => {
    throw Object.assign(new Error("the database is away"), { code: "ECONNREFUSED" })
  })
  let nowMs = 0
  const time = vi.spyOn(performance, "now").mockImplementation(() => nowMs)
  const run = (signal: AbortSignal) =>
    new Promise<undefined>((resolve) => {
      signal.addEventListener("abort", () => {
        for (const stub of [away, time]) stub.mockRestore()
        resolve(undefined)
      })
    })
  const wait = async (milliseconds: number) => {
    nowMs += milliseconds
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  const { clock } = world.context
  await holdJob({ database, clock, wait }, job, { stopping: new AbortController().signal, run })
  expect(nowMs).toBeLessThan(20_000)
  expect(await jobs()).toEqual([{ key: "one", claim: null }])
  await pool.end()
})

test("the job of a run that died is taken over as soon as its silence counts, though nobody announces it", async () => {
  await add("one")
  await world.store.pool.query(
    "update restwell.job set claim = gen_random_uuid(), alive_at = now() - interval '13 seconds', due_at = 'infinity'",
  )
  const taken = Promise.withResolvers<string>()
  startProcess({ clock: { now: () => new Date() }, run: async ({ key }) => taken.resolve(key) })
  await expect.poll(jobs, { timeout: 10_000 }).toEqual([])
  expect(await taken.promise).toBe("one")
})

test("a process that stops hands its jobs to another one at once", async () => {
  const begun = Promise.withResolvers<void>()
  const first = startProcess({
    wait: noTime,
    run: (_job, { signal }) =>
      new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve())
        begun.resolve()
      }),
  })
  await add("one")
  await begun.promise
  const taken = Promise.withResolvers<string>()
  startProcess({ wait: noTime, run: async ({ key }) => taken.resolve(key) })
  await first.stop()
  expect(await taken.promise).toBe("one")
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
})

test("a process that works is seen by its connection, as the doctor looks for one without an address", async () => {
  const services = async () => (await readDatabaseState(world.context)).services
  // The connections of the test before end a little later.
  await expect.poll(services).toBe(0)
  const process = startProcess({ wait: noTime, run: async () => {} })
  await expect.poll(services, { timeout: 10_000 }).toBe(1)
  await process.stop()
})

test("the most urgent job begins first, then the one that waits longest", async () => {
  for (const [key, priority] of [
    ["a", 0],
    ["b", 5],
    ["c", 0],
    ["d", 10],
    ["e", 5],
  ] as const)
    await add(key, priority)
  const order: string[] = []
  startProcess({ wait: noTime, places: 1, run: async ({ key }) => void order.push(key) })
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
  expect(order).toEqual(["d", "b", "e", "a", "c"])
})

test.each([
  ["is asked for while it runs", "asked"],
  ["has to run again at once", "at_once"],
  ["has to run again at a time that has come", "due"],
] as const)("a job that %s begins again after those that wait", async (_, way) => {
  for (const key of ["a", "b", "c"]) await add(key)
  const order: string[] = []
  const isRepeated = ({ key }: ClaimedJob) => key === "a" && order.filter((each) => each === "a").length < 3
  startProcess({
    wait: noTime,
    places: 1,
    run: async (job) => {
      order.push(job.key)
      if (way === "asked" && isRepeated(job)) await add("a")
    },
    again: (job) => {
      if (way === "asked" || !isRepeated(job)) return undefined
      return way === "due" ? world.context.clock.now() : "at_once"
    },
  })
  await expect.poll(jobs, { timeout: 20_000 }).toEqual([])
  expect(order).toEqual(["a", "b", "c", "a", "a"])
})

test("a job that waits for its time begins within two seconds of it", async () => {
  const { clock } = world.context
  const due = new Date(clock.now().getTime() + 10_000)
  await addJob(world.context, { kind: "sync", key: "one", userId, priority: 0, due })
  const begun = Promise.withResolvers<Date>()
  startProcess({
    run: async () => begun.resolve(clock.now()),
    wait: async (milliseconds) => world.simulator.clock.advance(milliseconds),
  })
  const late = (await begun.promise).getTime() - due.getTime()
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(2_000)
})

test("a process without work looks twice a minute, and when the next job is due", async () => {
  const { clock } = world.context
  let looks = 0
  let ticks = 0
  const due = new Date(clock.now().getTime() + 3_600_000)
  const minutes = Promise.withResolvers<void>()
  startProcess({
    run: async () => {},
    addDue: async () => {
      looks += 1
      return due
    },
    wait: (milliseconds, signal) => {
      ticks += milliseconds
      if (ticks < 600_000) return Promise.resolve()
      minutes.resolve()
      return noTime(milliseconds, signal)
    },
  })
  await minutes.promise
  expect(looks).toBeLessThanOrEqual(21)
})
