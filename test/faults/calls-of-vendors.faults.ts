// The table of calls in docs/sync.md is measured: a first sync of 400 days, and an idle day of one person without webhooks, at each vendor.

import { readFile } from "node:fs/promises"
import { sourceName } from "@restwell/client/figures"
import { VENDORS, type VendorName } from "@restwell/providers"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"

const MINUTE_MS = 60_000
const HALF_HOURS_OF_A_DAY = 48
const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)

/** Returns the two figures of a vendor's line. */
async function writtenOf(provider: VendorName): Promise<readonly [first: number, idle: number]> {
  const text = await readFile(new URL("../../docs/sync.md", import.meta.url), "utf8")
  const line = text.split("\n").find((each) => each.startsWith(`| ${sourceName(provider)} |`)) ?? ""
  const [first = 0, idle = 0] = line
    .split("|")
    .slice(2, 4)
    .map((cell) => Number(cell.replaceAll(",", "")))
  return [first, idle]
}

test.each(NAMES)("the calls of %s are those of the table", async (provider) => {
  const now = new Date("2026-11-20T12:00:00Z")
  const world = await createWorld({ vendor: provider, now, days: 400, seed: "calls", timeoutMs: 20_000 })
  try {
    const person = world.simulator.people.add({ email: "calls@example.com" })
    const userId = await world.addUser()
    await world.connect(userId, person)
    await world.runDue()
    const { requestLog } = world.vendor.simulator
    const isComplete = async () =>
      (await world.store.pool.query("select history_complete as complete from restwell.connection")).rows
    expect(await isComplete()).toEqual([{ complete: true }])
    const first = requestLog.count({ path: world.vendor.paths.data })
    // What the first days after it still look for is no part of an idle day.
    for (let half = 0; half < 2 * HALF_HOURS_OF_A_DAY; half += 1) {
      if (half === HALF_HOURS_OF_A_DAY) requestLog.clear()
      world.simulator.clock.advance(30 * MINUTE_MS)
      await world.runDue()
    }
    const idle = requestLog.count({ path: world.vendor.paths.data })
    const [writtenFirst, writtenIdle] = await writtenOf(provider)
    expect.soft(Math.abs(first - writtenFirst), `first sync: ${first}`).toBeLessThanOrEqual(0.1 * first)
    expect.soft(Math.abs(idle - writtenIdle), `idle day: ${idle}`).toBeLessThanOrEqual(0.1 * idle)
  } finally {
    await world.close()
  }
})
