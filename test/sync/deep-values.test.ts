// Values that are nested more deeply than can be written cost the record that has them, at every vendor.
import { VENDORS, type VendorName } from "@restwell/providers"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"

const LEVELS = 20_000
/** A key that is an index makes V8 write the value by recursion. */
const DEEP = `{"7":${"[".repeat(LEVELS)}${"]".repeat(LEVELS)},"`
/** Objects of an answer that have such a value. */
const MANY = 12

function deepened(reply: string): string {
  let left = MANY
  return reply.replaceAll('{"', (start) => (left-- > 0 ? DEEP : start))
}

const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)

test.each(NAMES)("%s: values with too many levels cost their records alone", async (vendor) => {
  const world = await createWorld({ vendor, days: 30, seed: "deep", timeoutMs: 20_000 })
  const person = world.simulator.people.add({ email: "deep@example.com" })
  const userId = await world.addUser()
  world.vendor.simulator.faults.add({
    match: { personId: person.userId, path: world.vendor.paths.data },
    kind: "rewrite",
    rewrite: deepened,
  })
  await world.connect(userId, person)
  await world.runDue()
  const { rows } = await world.store.pool.query(
    "select status, failures, history_complete, gaps from restwell.connection where user_id = $1",
    [userId],
  )
  expect(rows).toEqual([{ status: "ok", failures: 0, history_complete: true, gaps: [] }])
  const { rows: stored } = await world.store.pool.query("select kind from restwell.record where user_id = $1", [userId])
  expect(stored.length).toBeGreaterThan(20)
  await world.close()
})
