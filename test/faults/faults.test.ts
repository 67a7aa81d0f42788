import { deleteAccount } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { JOB_KINDS, runCell } from "./fault-matrix.ts"
import { VENDOR_FAULTS } from "./vendor-faults.ts"

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 30, hasWebhooks: true, timeoutMs: 400, seed: "faults" })
})
afterAll(() => world.close())

const CELLS = Object.entries(JOB_KINDS).flatMap(([job, kind]) =>
  Object.entries(VENDOR_FAULTS).map(([name, fault]) => ({ job, kind, name, fault })),
)

test.each(CELLS)(
  "$job x $name: the stored records are the vendor's after the fault, with no manual step",
  async ({ job, kind, name, fault }) => {
    const person = world.simulator.people.add({ email: `${job}.${name}@example.com`.replace(/[^a-z0-9@.]/gi, "-") })
    const userId = await world.addUser()
    const outcome = await runCell(world, kind, fault, { userId, person })
    expect(outcome.callsMeanwhile).toBeLessThan(200)
    await deleteAccount(world.context, userId)
  },
)
