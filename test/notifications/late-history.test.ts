/* A history of which the vendor gets older parts later, as accounts do that are filled by devices: one summary, whatever comes. */
import { WEBHOOK_EVENTS } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { changeNotifications, computeInThread, createWebhook, disconnect, listDeliveries } from "@restwell/core"
import { startIntervalsBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { expect, onTestFinished, test } from "vitest"
import { withoutHistory } from "../sync/one-person.ts"
import { EMPTY_WELLNESS } from "../sync/wellness-rows.ts"

test("each older part is one batch for programs, and no further summary for the person", async () => {
  const simulator = await startVendor({ seed: "filled later", now: new Date("2026-11-20T12:00:00Z") })
  onTestFinished(() => simulator.close())
  const vendor = await startIntervalsBeside(simulator)
  onTestFinished(() => vendor.close())
  const world = await createWorld({ simulator, vendor: "intervals", beside: { intervals: vendor } })
  onTestFinished(() => world.close())
  const { person, userId } = await withoutHistory(world, "filled")
  const put = (id: string) => vendor.edit.wellness.put(person, { ...EMPTY_WELLNESS, id, hrv: 60, restingHR: 52 })
  const context = { ...world.context, statistics: computeInThread(world.store.pool) }
  await changeNotifications(context, userId, { briefing: { enabled: true, earliest: "07:00", channels: [] } })
  const wanted = { url: "http://127.0.0.1:1/", events: [...WEBHOOK_EVENTS], include_figures: false }
  const { id } = await createWebhook(world.context, { userId, network: "192.0.2.0/24" }, wanted)
  const arrived = async () => {
    const { rowCount } = await world.store.pool.query("delete from restwell.arrived_history where user_id = $1", [
      userId,
    ])
    const deliveries = await listDeliveries(world.context, { userId, id })
    return [rowCount, deliveries.filter(({ type }) => type === "batch.completed").length]
  }
  const pass = async (hours: number) => {
    for (let passed = 0; passed < hours; passed += 6) {
      world.simulator.clock.advance(6 * HOUR_MS)
      await world.runDue()
    }
  }
  put("2026-11-19")
  await world.connect(userId, person)
  await world.runDue()
  expect(await arrived()).toEqual([1, 1])
  put("2025-02-03")
  await pass(48)
  expect(await arrived()).toEqual([0, 2])
  put("2023-05-06")
  await pass(48)
  expect(await arrived()).toEqual([0, 3])
  await disconnect(world.context, { userId, provider: "intervals", wipeData: true })
  await world.connect(userId, person)
  await world.runDue()
  expect(await arrived()).toEqual([1, 5])
})
