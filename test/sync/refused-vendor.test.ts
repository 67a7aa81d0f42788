// A vendor that refuses all of its data: what the account says.
import { readAccount } from "@restwell/core"
import { createWorld, storedRows } from "@restwell/testing/world"
import { expect, test } from "vitest"

const NOW = new Date("2026-11-20T12:00:00Z")

test.each(["whoop", "google_health"] as const)(
  "%s that withholds everything until its app is updated says so",
  async (vendor) => {
    const world = await createWorld({ vendor, now: NOW, days: 5 })
    try {
      const userId = await world.addUser()
      world.vendor.simulator.faults.add({ match: { path: world.vendor.paths.data }, kind: "status", status: 426 })
      await world.connect(userId, world.simulator.people.add({ email: "ada@example.com" }))
      const [connection] = (await readAccount(world.context, userId)).connections
      const name = vendor === "whoop" ? "WHOOP" : "Fitbit (Google Health)"
      expect(connection).toMatchObject({
        status: "vendor_unavailable",
        statusReason: `${name} withholds the data until its app is updated. Update the ${name} app on the phone and open it`,
      })
    } finally {
      await world.close()
    }
  },
)

test("days of Google Health without a known time zone are missing, and their steps are read once it is known", async () => {
  const world = await createWorld({ vendor: "google_health", now: NOW, days: 5 })
  try {
    const { faults } = world.vendor.simulator
    const person = world.simulator.people.add({ email: "ada@example.com" })
    const userId = await world.addUser()
    const match = { path: /\/settings$/ }
    const repair = faults.add({ match, kind: "transform", transform: () => ({ weightUnit: "KILOGRAMS" }) })
    const failSteps = faults.add({ match: { path: /dataTypes\/steps\// }, kind: "status", status: 500 })
    await world.connect(userId, person)
    const days = async () => (await storedRows(world, userId)).filter(({ kind }) => kind === "cycle").length
    const lacking = async () =>
      (await world.store.pool.query("select gaps from restwell.connection where user_id = $1", [userId])).rows[0].gaps
    expect(await days()).toBe(0)
    expect(await lacking()).toMatchObject([{ collection: "settings" }])
    repair()
    await pass(60)
    expect(await lacking()).toMatchObject([{ collection: "steps" }])
    // A second failure of the zone says nothing about the steps.
    const again = faults.add({ match, kind: "status", status: 500 })
    await pass(60)
    expect((await lacking()).map(({ collection }: { collection: string }) => collection)).toEqual(["settings", "steps"])
    again()
    failSteps()
    await pass(120)
    expect(await lacking()).toEqual([])
    expect(await days()).toBe(world.vendor.idsOf(person, "cycle").length)

    async function pass(minutes: number): Promise<void> {
      for (let passed = 0; passed < minutes; passed += 30) {
        world.simulator.clock.advance(30 * 60_000)
        await world.runDue()
      }
    }
  } finally {
    await world.close()
  }
})
