import { fork } from "node:child_process"
import { once } from "node:events"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"

const PROCESSES = 2
const JOBS_EACH = 4
const HOUR_MS = 3_600_000

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 20 })
})
afterAll(() => world.close())

/** Runs jobs in several processes, all at the same time. */
async function race(userId: string): Promise<void> {
  const workers = Array.from({ length: PROCESSES }, () => fork(new URL("./refresh-worker.ts", import.meta.url)))
  await Promise.all(workers.map((worker) => once(worker, "message")))
  const exits = workers.map((worker) => once(worker, "exit"))
  for (const worker of workers)
    worker.send({
      connection: world.store.connection,
      vendorUrl: world.simulator.url,
      userId,
      now: world.context.clock.now(),
      jobs: JOBS_EACH,
    })
  const codes = await Promise.all(exits)
  expect(codes.map(([code]) => code)).toEqual(workers.map(() => 0))
}

test("8 jobs in 2 processes with an expired token make one refresh, and the connection stays active", async () => {
  const person = world.simulator.people.add({ email: "ada@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  for (let round = 1; round <= 3; round += 1) {
    world.simulator.clock.advance(2 * HOUR_MS)
    world.simulator.faults.add({ match: { path: "/oauth/oauth2/token" }, kind: "latency", ms: 200, times: 1 })
    await race(userId)
    expect(world.simulator.requestLog.counters().refreshes).toBe(round)
  }
  const { rows } = await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])
  expect(rows).toEqual([{ status: "ok" }])
})
