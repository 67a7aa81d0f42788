// Google's grants: data that a person leaves unticked, and an app in Testing, which loses each grant after a week.
import { startGoogleHealthBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterEach, expect, test } from "vitest"
import { DAY_MS, HOUR_MS } from "./google-points.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

let open: AsyncDisposableStack
afterEach(() => open.disposeAsync())

/** A person of 20 days beside a Google of the test's own. */
async function personBeside(google: Parameters<typeof startGoogleHealthBeside>[1]) {
  open = new AsyncDisposableStack()
  const simulator = open.adopt(await startVendor({ seed: "google", now: NOW, days: 20 }), (vendor) => vendor.close())
  const beside = { google_health: open.adopt(await startGoogleHealthBeside(simulator, google), (one) => one.close()) }
  const world = await createWorld({ simulator, vendor: "google_health", beside, timeoutMs: 20_000 })
  open.defer(() => world.close())
  return { world, person: simulator.people.addOne(), userId: await world.addUser() }
}

async function connectionOf({ store }: World, userId: string) {
  const { rows } = await store.pool.query(
    "select status, status_reason, gaps from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]
}

test("what a person leaves unticked at Google is a gap with its name and the click that grants it", async () => {
  const { world, person, userId } = await personBeside({
    uncheckedScopes: ["sleep", "health_metrics_and_measurements"],
  })
  await world.connect(userId, person)
  const { status, gaps } = await connectionOf(world, userId)
  expect(status).toBe("ok")
  expect(gaps.map(({ collection }: { collection: string }) => collection)).toEqual([
    "body-fat",
    "daily-heart-rate-variability",
    "daily-oxygen-saturation",
    "daily-respiratory-rate",
    "daily-resting-heart-rate",
    "daily-sleep-temperature-derivations",
    "sleep",
    "weight",
  ])
  for (const gap of gaps)
    expect(gap).toMatchObject({ nextStep: "Connect Google Health again with every box ticked", helpsReconnect: true })
  const kinds = new Set((await storedRows(world, userId)).map(({ kind }) => kind))
  expect([...kinds].toSorted()).toEqual(["cycle", "workout"])
})

test("an app in Testing loses each grant after seven days: the data stay, and connecting again goes on", async () => {
  const { world, person, userId } = await personBeside({ isInTesting: true })
  const { clock } = world.simulator
  await world.connect(userId, person)
  for (let days = 0; days < 6; days += 1) {
    clock.advance(DAY_MS)
    await world.runDue()
  }
  expect((await connectionOf(world, userId)).status).toBe("ok")
  const before = (await storedRows(world, userId)).length
  clock.advance(DAY_MS + HOUR_MS)
  await world.runDue()
  expect(await connectionOf(world, userId)).toMatchObject({
    status: "reauthorization_required",
    status_reason: expect.stringContaining("has ended Restwell's access. Connect again"),
  })
  expect((await storedRows(world, userId)).length).toBe(before)
  await world.connect(userId, person)
  await world.runDue()
  expect((await connectionOf(world, userId)).status).toBe("ok")
  expect((await storedRows(world, userId)).length).toBeGreaterThanOrEqual(before)
})
