import { beginConnection, Conflict, completeConnection, deleteAccount, disconnect } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { approveAtVendor } from "@restwell/testing/vendor"
import { createWorld, PROVIDER, storedRows, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { connectionRow } from "./one-person.ts"

const NONE = { codes: 0, accessTokens: 0, refreshTokens: 0 }
const HOUR_MS = 3_600_000
const REFUSED = /^this account at WHOOP is already connected to another account on this server, /
const ENDED = "this account at WHOOP is connected to another account on this server"

let world: World
let ada: Person
let first: string
let second: string

async function open(sharedVendorAccounts: "refuse" | "allow"): Promise<void> {
  world = await createWorld({ days: 12, hasWebhooks: true, sharedVendorAccounts })
  ada = world.simulator.people.add({ email: "ada@example.com" })
  first = await world.addUser()
  second = await world.addUser()
}
beforeEach(() => open("refuse"))
afterEach(() => world.close())

const rowOf = (userId: string) => connectionRow({ world, person: ada, userId })
const connectionOf = (userId: string) => ({ userId, provider: PROVIDER })

async function count(table: "connection" | "vendor_grant", userId: string): Promise<number> {
  const { rows } = await world.store.pool.query(`select from restwell.${table} where user_id = $1`, [userId])
  return rows.length
}

/** Expects that a connection is synced with its tokens, and after their expiry with refreshed ones. */
async function expectWorking(userId: string): Promise<void> {
  for (const laterMs of [0, 2 * HOUR_MS]) {
    world.simulator.clock.advance(laterMs)
    await world.sync(userId)
    expect(await rowOf(userId)).toMatchObject({ status: "ok", last_synced_at: world.context.clock.now() })
  }
}

/** Connects while the vendor does not answer for the profile. */
async function connectWithoutProfile(userId: string, person: Person): Promise<void> {
  const repair = world.simulator.faults.add({ match: { path: "/developer/v2/user" }, kind: "status", status: 503 })
  await world.authorize(userId, person)
  repair()
}

const WAYS: [string, (userId: string) => Promise<void>][] = [
  ["disconnecting", (userId) => disconnect(world.context, { ...connectionOf(userId), wipeData: false })],
  ["disconnecting with the data", (userId) => disconnect(world.context, { ...connectionOf(userId), wipeData: true })],
  ["deleting the account", (userId) => deleteAccount(world.context, userId)],
]

describe("a vendor account that is connected to another account", () => {
  test("is refused, and the first account keeps its grant", async () => {
    await world.connect(first, ada)
    const refusal = await world.authorize(second, ada).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Conflict)
    expect(refusal).toMatchObject({ message: expect.stringMatching(REFUSED), member: "connected_elsewhere" })
    expect(await count("connection", second)).toBe(0)
    expect(await count("vendor_grant", second)).toBe(0)
    await expectWorking(first)
  })

  test("is refused for an account with another one, which stays connected", async () => {
    const bob = world.simulator.people.add({ email: "bob@example.com" })
    await world.connect(first, ada)
    await world.connect(second, bob)
    await expect(world.authorize(second, ada)).rejects.toThrow(REFUSED)
    await expectWorking(second)
    await expectWorking(first)
  })

  test("can be connected again by its own account", async () => {
    await world.connect(first, ada)
    await world.connect(first, ada)
    await expectWorking(first)
  })

  test.each(WAYS)("can be connected after %s", async (_way, end) => {
    await world.connect(first, ada)
    await end(first)
    await world.connect(second, ada)
    await expectWorking(second)
    if ((await count("connection", first)) > 0) await expect(world.authorize(first, ada)).rejects.toThrow(REFUSED)
    await expectWorking(second)
  })

  test("can be connected after the vendor has ended the first grant", async () => {
    await world.connect(first, ada)
    world.simulator.tokens.revokeAll(ada)
    await world.sync(first)
    await world.connect(second, ada)
    await expectWorking(second)
  })

  test("is connected to exactly one of five accounts that connect it at once", async () => {
    const users = await Promise.all(Array.from({ length: 5 }, () => world.addUser()))
    const outcomes = await Promise.allSettled(users.map((userId) => world.authorize(userId, ada)))
    const winners = users.filter((_user, index) => outcomes[index]?.status === "fulfilled")
    expect(winners).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === "rejected")
        expect(outcome.reason).toMatchObject({ message: expect.stringMatching(REFUSED) })
    for (const winner of winners) await expectWorking(winner)
  })

  test.each(["offline read:sleep", "offline read:profile read:body_measurement"])(
    "keeps its first grant when another account connects it with too few scopes: %s",
    async (scope) => {
      await world.connect(first, ada)
      const attempt = { ...connectionOf(second), sessionId: "session", redirectUri: "http://localhost:3000/callback" }
      const page = await beginConnection(world.context, attempt)
      page.searchParams.set("scope", scope)
      const { searchParams } = await approveAtVendor(page, ada)
      const [state, code] = [searchParams.get("state") ?? "", searchParams.get("code") ?? ""]
      await expect(completeConnection(world.context, { ...attempt, state, code })).rejects.toThrow("did not grant")
      await expectWorking(first)
    },
  )
})

describe("a shared vendor account that only the sync finds", () => {
  test("ends the younger connection with a reason, and no grant of the elder", async () => {
    await world.connect(first, ada)
    world.simulator.clock.advance(60_000)
    await connectWithoutProfile(second, ada)
    await world.runJob(second)
    expect(await rowOf(second)).toMatchObject({ status: "disconnected", status_reason: ENDED })
    expect(await count("vendor_grant", second)).toBe(0)
    expect(await storedRows(world, second)).toEqual([])
    await expectWorking(first)
  })

  test("ends the younger connection also when the elder's profile is the one read late", async () => {
    await connectWithoutProfile(first, ada)
    world.simulator.clock.advance(60_000)
    await world.connect(second, ada)
    await world.sync(first)
    expect(await rowOf(second)).toMatchObject({ status: "disconnected", status_reason: ENDED })
    expect(await count("vendor_grant", second)).toBe(0)
    await expectWorking(first)
    await expect(world.authorize(second, ada)).rejects.toThrow(REFUSED)
  })

  test("ends exactly one of two connections that are synced at once", async () => {
    await connectWithoutProfile(first, ada)
    await connectWithoutProfile(second, ada)
    await Promise.all([world.sync(first), world.sync(second)])
    const statuses = [(await rowOf(first)).status, (await rowOf(second)).status]
    expect(statuses.toSorted()).toEqual(["disconnected", "ok"])
    await expectWorking(statuses[0] === "ok" ? first : second)
  })
})

describe("with SHARED_VENDOR_ACCOUNTS=allow", () => {
  beforeEach(async () => {
    await world.close()
    await open("allow")
    await world.connect(first, ada)
    await world.connect(second, ada)
  })

  test.each(WAYS)("%s leaves the other account's grant, and the last one ends it", async (_way, end) => {
    await end(first)
    await expectWorking(second)
    await end(second)
    expect(world.simulator.tokens.counts()).toEqual(NONE)
  })

  test.each(WAYS)("%s before the profile was read leaves the other account's grant", async (_way, end) => {
    const third = await world.addUser()
    await connectWithoutProfile(third, ada)
    await end(third)
    await expectWorking(first)
  })

  test("refusing another person's vendor account leaves the other account's grant", async () => {
    const bob = world.simulator.people.add({ email: "bob@example.com" })
    await expect(world.authorize(second, bob)).rejects.toThrow("another person's than the stored data")
    await expectWorking(first)
    await expectWorking(second)
  })

  test("an event reaches both accounts", async () => {
    const [workout] = world.simulator.records(ada).workouts
    if (!workout) throw new Error("a person without workouts")
    world.simulator.edit.workout.patch(ada, workout.id, { sport_name: "fencing" })
    await world.simulator.webhooks.flush()
    await world.runDue()
    for (const userId of [first, second]) expect(JSON.stringify(await storedRows(world, userId))).toContain("fencing")
  })
})

test("another person's account whose profile is read late ends the connection, and the stored data stay", async () => {
  const bob = world.simulator.people.add({ email: "bob@example.com" })
  await world.connect(first, ada)
  const before = await storedRows(world, first)
  await connectWithoutProfile(first, bob)
  await world.runDue()
  expect(await storedRows(world, first)).toEqual(before)
  expect(await rowOf(first)).toMatchObject({
    status: "disconnected",
    status_reason: "this account at WHOOP is another person's than the stored data: delete them to connect it",
  })
  expect(await count("vendor_grant", first)).toBe(0)
  await expect(world.authorize(first, bob)).rejects.toThrow("delete the stored data first")
  await world.connect(first, ada)
  await expectWorking(first)
})

test("a vendor account of the person's own data can be connected in place of them, once they are deleted", async () => {
  const bob = world.simulator.people.add({ email: "bob@example.com" })
  await world.connect(first, ada)
  await disconnect(world.context, { ...connectionOf(first), wipeData: true })
  await world.connect(first, bob)
  const workoutsOf = (person: Person) => world.simulator.records(person).workouts.map(({ id }) => id)
  const stored = (await storedRows(world, first)).filter(({ kind }) => kind === "workout")
  expect(stored.map(({ provider_id }) => provider_id).toSorted()).toEqual(workoutsOf(bob).toSorted())
  for (const person of [ada, bob])
    world.simulator.edit.workout.patch(person, workoutsOf(person)[0] ?? "", { sport_name: "fencing" })
  await world.simulator.webhooks.flush()
  expect(world.webhooks).toEqual(["accepted"])
})
