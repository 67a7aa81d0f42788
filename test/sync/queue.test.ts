import { setTimeout as sleep } from "node:timers/promises"
import type { Jobs } from "@restwell/server/jobs"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { startNetwork } from "../whole/network.ts"
import { openQueue, workers } from "./queue-of-world.ts"

const CONNECTIONS = 12

let world: World
let queue: Jobs
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  world = await createWorld({ days: 3 })
  opened.defer(() => world.close())
  for (const person of world.simulator.people.addMany(CONNECTIONS)) await world.connect(await world.addUser(), person)
  queue = openQueue(world, world.store.connection, opened)
})
afterAll(() => opened.disposeAsync())

test("two workers sync many connections without a pause in between", async () => {
  const now = world.context.clock.now()
  await world.store.pool.query("update restwell.connection set refresh_at = $1, next_sync_at = $1", [now])
  await queue.work({ ...world.context, jobs: queue }, workers(1, 1))
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
  const own = openQueue(world, { host: "127.0.0.1", port: network.port, user, database }, started)
  const request = () => own.requestSync({ userId: "somebody", provider: "whoop" })
  await request()
  await network.set("expel")
  // The first attempts meet the sessions that are open.
  for (let attempt = 0; attempt < 6; attempt += 1) await expect(request()).rejects.toThrow()
  await network.set("open")
  await expect.poll(request).toBeUndefined()
})
