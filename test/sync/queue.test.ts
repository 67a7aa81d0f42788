import { setTimeout as sleep } from "node:timers/promises"
import type { PoolSettings } from "@restwell/core"
import { createJobs, type Jobs } from "@restwell/server/jobs"
import { poolsOn } from "@restwell/server/pools"
import { waitInRealTime } from "@restwell/server/wait"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startNetwork } from "../whole/network.ts"

const CONNECTIONS = 12
const NO_WORK = { places: () => [], run: async () => undefined }
const WORKERS = {
  concurrency: 1,
  urgentConcurrency: 1,
  meter: () => {},
  imports: { run: async () => undefined },
  optional: { mail: NO_WORK, backup: NO_WORK, subscription: NO_WORK },
}

let world: World
let queue: Jobs
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  world = await createWorld({ days: 3 })
  opened.defer(() => world.close())
  for (const person of world.simulator.people.addMany(CONNECTIONS)) await world.connect(await world.addUser(), person)
  queue = openJobs(world.store.connection, opened)
})
afterAll(() => opened.disposeAsync())

function openJobs(connection: PoolSettings, started: AsyncDisposableStack): Jobs {
  const { clock, logger } = world.context
  const openPool = poolsOn(connection, logger, started)
  const jobs = createJobs({ openPool, clock, logger, wait: waitInRealTime, isListening: true })
  started.defer(() => jobs.stop())
  return jobs
}

test("two workers sync many connections without a pause in between", async () => {
  const now = world.context.clock.now()
  await world.store.pool.query("update restwell.connection set refresh_at = $1, next_sync_at = $1", [now])
  await queue.work({ ...world.context, jobs: queue }, WORKERS)
  const due = async () => {
    const { rows } = await world.store.pool.query(
      "select count(*)::int as count from restwell.connection where next_sync_at <= $1",
      [now],
    )
    return rows[0].count
  }
  const deadline = performance.now() + 20_000
  while ((await due()) > 0 && performance.now() < deadline) await sleep(50)
  expect(await due()).toBe(0)
})

test("a session that the database ends as it begins fails its request, and nothing else", async () => {
  const { host, port, user, database } = world.store.connection
  const isSocket = host?.startsWith("/")
  const network = await startNetwork(isSocket ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) })
  await using started = new AsyncDisposableStack()
  started.defer(() => network.close())
  const own = openJobs({ host: "127.0.0.1", port: network.port, user, database }, started)
  const request = () => own.requestSync({ userId: "somebody", provider: "whoop" })
  await request()
  await network.set("expel")
  // The first attempts meet the sessions that are open.
  for (let attempt = 0; attempt < 6; attempt += 1) await expect(request()).rejects.toThrow()
  await network.set("open")
  await expect.poll(request).toBeUndefined()
})
