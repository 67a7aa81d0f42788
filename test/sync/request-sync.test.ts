import { type Context, openDatabase, openPool, requestSync, TooManyRequests } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const MINUTE_MS = 60_000
const PROVIDER = "whoop"

let world: World
let userId: string
beforeEach(async () => {
  world = await createWorld({ days: 60 })
  userId = await world.addUser()
  await world.connect(userId, world.simulator.people.add({ email: "ada@example.com" }))
})
afterEach(() => world.close())

const press = (context: Context = world.context) => requestSync(context, { userId, provider: PROVIDER })

test("of requests at the same time in two processes one a minute is accepted, and the others say when to come again", async () => {
  const pool = openPool({ ...world.store.connection, max: 8 }, () => {})
  const other: Context = { ...world.context, database: openDatabase(pool) }
  for (let minute = 0; minute < 3; minute += 1) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => press(index % 2 === 0 ? world.context : other)),
    )
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
    expect(refused).toHaveLength(59)
    for (const error of refused) expect(error).toBeInstanceOf(TooManyRequests)
    expect(refused[0]).toMatchObject({
      code: "rate_limited",
      limit: 1,
      retryAfterSeconds: 60,
      reset: new Date(world.simulator.clock.nowMs() + MINUTE_MS),
    })
    await world.runDue()
    world.simulator.clock.advance(MINUTE_MS - 1)
    await expect(press()).rejects.toMatchObject({ retryAfterSeconds: 1 })
    world.simulator.clock.advance(1)
  }
  await pool.end()
})

test("a request joins a sync that waits for a worker or runs", async () => {
  await press()
  const jobs: Context["jobs"] = { ...world.context.jobs, isSyncing: async () => true }
  await press({ ...world.context, jobs })
  await expect(press()).rejects.toBeInstanceOf(TooManyRequests)
})

test("a request of a clock that was an hour ahead delays nobody", async () => {
  await world.store.pool.query("update restwell.connection set person_requested_at = $1", [
    new Date(world.simulator.clock.nowMs() + 60 * MINUTE_MS),
  ])
  await press()
})

test("a requested sync takes four calls, and finds what is new", async () => {
  const { clock, requestLog } = world.simulator
  clock.advance(MINUTE_MS)
  await press()
  requestLog.clear()
  await world.runDue()
  expect(requestLog.count()).toBe(4)
})
