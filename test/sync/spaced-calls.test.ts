// Vendors that count calls within seconds, and refuse one too many without saying how long to wait.
import { VENDORS } from "@restwell/providers"
import { startGoogleHealthBeside, startUltrahumanBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { expect, test } from "vitest"

const NOW = new Date("2026-11-20T12:00:00Z")

const STARTED = {
  ultrahuman: (beside: Parameters<typeof startUltrahumanBeside>[0]) =>
    startUltrahumanBeside(beside, { callsPerSecond: 1 }),
  // Its calls are made side by side, so they arrive while the clock of the test moves on.
  google_health: startGoogleHealthBeside,
}

test.each([
  ["ultrahuman", 1],
  ["google_health", 2.5],
] as const)("%s gets at most %d calls a second, refuses none, and gives all that it has", async (name, perSecond) => {
  const simulator = await startVendor({ seed: name, now: NOW, days: 8 })
  const vendor = await STARTED[name](simulator)
  const { perMinute, perDay } = VENDORS[name].syncPolicy.calls
  const world = await createWorld({
    ...{ simulator, vendor: name, beside: { [name]: vendor }, timeoutMs: 20_000 },
    calls: { perMinute, perDay },
  })
  try {
    const person = simulator.people.add({ email: "spaced@example.com" })
    const userId = await world.addUser()
    await world.connect(userId, person)
    await world.runDue()
    const { rows } = await world.store.pool.query(
      `select c.history_complete as complete, (select count(*)::int from restwell.record r where r.user_id = c.user_id) as records
       from restwell.connection c where c.user_id = $1`,
      [userId],
    )
    expect(rows).toMatchObject([{ complete: true }])
    expect(rows[0].records).toBeGreaterThan(15)
    expect(vendor.requestLog.entries.filter(({ status }) => status === 429)).toEqual([])
    const calls = await world.store.pool.query(
      `select min(gap)::float8 as least, count(*)::int as count from (
         select extract(epoch from called_at - lag(called_at) over (order by called_at)) as gap
         from restwell.vendor_call where provider like $1) as gaps`,
      [`${name}/%`],
    )
    expect(calls.rows[0].count).toBeGreaterThan(20)
    expect(calls.rows[0].least).toBeGreaterThanOrEqual(1 / perSecond)
  } finally {
    await world.close()
    await vendor.close()
    await simulator.close()
  }
})
