// Oura answers a collection that the person did not open with nothing, and not always with a refusal. That is no fact about the person.
import type { OuraSimulator, OuraSimulatorOptions, Person, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { expect, test } from "vitest"

const HOUR_MS = 3_600_000
const OPTIONAL = ["daily_spo2", "enhanced_tag", "heartrate", "workout"]

interface Wearer {
  readonly vendor: Simulator
  readonly oura: OuraSimulator
  readonly world: World
  readonly person: Person
  readonly userId: string
}

async function withWearer(options: OuraSimulatorOptions, run: (wearer: Wearer) => Promise<void>): Promise<void> {
  const vendor = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 30 })
  const oura = await startOuraBeside(vendor, { missingScope: "empty", ...options })
  const world = await createWorld({ vendor: "oura", simulator: vendor, beside: { oura } })
  try {
    const person = vendor.people.add({ email: "ada@example.com" })
    const userId = await world.addUser()
    await world.connect(userId, person)
    await run({ vendor, oura, world, person, userId })
  } finally {
    await world.close()
    await oura.close()
    await vendor.close()
  }
}

async function connectionOf({ world, userId }: Wearer) {
  const { rows } = await world.store.pool.query(
    "select status, gaps from restwell.connection where user_id = $1 and provider = 'oura'",
    [userId],
  )
  return rows[0]
}

async function workoutsOf({ world, userId }: Wearer): Promise<number> {
  const { rows } = await world.store.pool.query(
    "select count(*)::int as count from restwell.record where user_id = $1 and kind = 'workout'",
    [userId],
  )
  return rows[0].count
}

const gapsFor = (collections: readonly string[]) =>
  collections.map((collection) =>
    expect.objectContaining({
      collection,
      nextStep: expect.stringContaining("every box ticked"),
      helpsReconnect: true,
    }),
  )

test.each([
  ["the token", true],
  ["the redirect alone", false],
])(
  "boxes that were left unticked are gaps, and stay so after a refresh, where %s names the scopes",
  async (_, namesScopes) => {
    const uncheckedScopes = ["spo2", "tag", "heartrate", "workout"]
    await withWearer({ uncheckedScopes, namesScopes }, async (wearer) => {
      expect(await connectionOf(wearer)).toEqual({ status: "ok", gaps: gapsFor(OPTIONAL) })
      wearer.vendor.clock.advance(25 * HOUR_MS)
      await wearer.world.runDue()
      expect(await connectionOf(wearer)).toEqual({ status: "ok", gaps: gapsFor(OPTIONAL) })
    })
  },
)

test("with every box ticked an empty answer is a fact", async () => {
  await withWearer({}, async (wearer) => {
    expect(await connectionOf(wearer)).toEqual({ status: "ok", gaps: [] })
    expect(await workoutsOf(wearer)).toBeGreaterThan(0)
  })
})
