import { deleteAccount } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isPolled, jobKindsOf, runCell } from "./fault-matrix.ts"
import { faultsOf } from "./vendor-faults.ts"

/** In the three minutes of a fault. Oura's records are joined from several collections. */
const MOST_CALLS = { whoop: 200, oura: 600, intervals: 200 }

describe.each(["whoop", "oura", "intervals"] as const)("%s", (provider) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({
      vendor: provider,
      days: 30,
      hasWebhooks: !isPolled(provider),
      timeoutMs: 1_200,
      seed: "faults",
    })
  })
  afterAll(() => world.close())

  const jobs = jobKindsOf(provider)
  const faults = Object.entries(faultsOf(provider))
  // Every job meets some faults here, and every fault a job of each vendor. `npm run test:faults` runs every cell.
  const cells = jobs.flatMap(([job, kind], place) =>
    faults
      .filter((_, index) => (index + place) % jobs.length === 0)
      .map(([name, fault]) => ({ job, kind, name, fault })),
  )

  test.each(cells)(
    "$job x $name: the stored records are the vendor's after the fault, with no manual step",
    async ({ job, kind, name, fault }) => {
      const person = world.simulator.people.add({ email: `${job}.${name}@example.com`.replace(/[^a-z0-9@.]/gi, "-") })
      const userId = await world.addUser()
      const outcome = await runCell(world, kind, fault, { userId, person })
      expect(outcome.callsMeanwhile).toBeLessThan(MOST_CALLS[provider])
      await deleteAccount(world.context, userId)
    },
  )
})
