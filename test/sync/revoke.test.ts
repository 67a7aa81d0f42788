import {
  beginConnection,
  completeConnection,
  deleteAccount,
  disconnect,
  freshAccessToken,
  InvalidRequest,
} from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const NONE = { codes: 0, accessTokens: 0, refreshTokens: 0 }
const ONE = { codes: 0, accessTokens: 1, refreshTokens: 1 }
const HOUR_MS = 3_600_000

let world: World
let ada: Person
let userId: string
beforeEach(async () => {
  world = await createWorld({ days: 3 })
  ada = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, ada)
  expect(world.simulator.tokens.counts()).toEqual(ONE)
})
afterEach(() => world.close())

const WAYS: [string, () => Promise<void>][] = [
  ["disconnecting", () => disconnect(world.context, { userId, provider: "whoop", wipeData: false })],
  ["disconnecting with the data", () => disconnect(world.context, { userId, provider: "whoop", wipeData: true })],
  ["deleting the account", () => deleteAccount(world.context, userId)],
]

async function grantsStored(): Promise<number> {
  const { rows } = await world.store.pool.query("select from restwell.vendor_grant where user_id = $1", [userId])
  return rows.length
}

async function isGrantLocked(): Promise<boolean> {
  const { rows } = await world.store.pool.query("select from restwell.vendor_grant for update skip locked")
  return rows.length === 0
}

async function statusOf(): Promise<string | undefined> {
  const { rows } = await world.store.pool.query<{ status: string }>(
    "select status from restwell.connection where user_id = $1",
    [userId],
  )
  return rows[0]?.status
}

/** Connects as a person of the vendor, who may allow fewer scopes. */
async function connectAgain(person: Person, scope?: string): Promise<void> {
  const attempt = { userId, provider: "whoop", sessionId: "session", redirectUri: "http://localhost:3000/callback" }
  const page = await beginConnection(world.context, attempt)
  page.searchParams.set("login_hint", person.email)
  if (scope !== undefined) page.searchParams.set("scope", scope)
  const callback = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "")
  const state = callback.searchParams.get("state") ?? ""
  await completeConnection(world.context, { ...attempt, state, code: callback.searchParams.get("code") ?? "" })
}

test.each(WAYS)("%s ends the grant at the vendor", async (_way, end) => {
  await end()
  expect(world.simulator.tokens.counts()).toEqual(NONE)
  expect(await grantsStored()).toBe(0)
})

test.each(WAYS)("%s ends the grant at the vendor after the access token has expired", async (_way, end) => {
  world.simulator.clock.advance(2 * HOUR_MS)
  await end()
  expect(world.simulator.tokens.counts()).toEqual(NONE)
})

test.each(WAYS)("%s ends the grant at the vendor when the access token was revoked early", async (_way, end) => {
  world.simulator.tokens.expireAccess(ada)
  await end()
  expect(world.simulator.tokens.counts()).toEqual(NONE)
})

test.each(WAYS)("%s works here while the vendor is down", async (_way, end) => {
  world.simulator.clock.advance(2 * HOUR_MS)
  world.simulator.faults.add({ kind: "status", status: 503 })
  await end()
  expect(await grantsStored()).toBe(0)
  expect(["disconnected", undefined]).toContain(await statusOf())
})

test.each(WAYS)("%s works after the person ended the grant at the vendor", async (_way, end) => {
  world.simulator.tokens.revokeAll(ada)
  await end()
  expect(await grantsStored()).toBe(0)
  expect(world.simulator.tokens.counts()).toEqual(NONE)
})

test.each(WAYS)("%s works when the tokens can no longer be decrypted", async (_way, end) => {
  await world.store.pool.query("update restwell.vendor_grant set key_id = 'gone', refresh_key_id = 'gone'")
  await end()
  expect(await grantsStored()).toBe(0)
})

test.each(WAYS)("%s waits for a running refresh, and ends the refreshed grant", async (_way, end) => {
  world.simulator.clock.advance(2 * HOUR_MS)
  world.simulator.faults.add({ match: { path: "/oauth/oauth2/token" }, kind: "latency", ms: 300, times: 1 })
  const refreshing = freshAccessToken(world.context, { userId, provider: "whoop" })
  await expect.poll(isGrantLocked).toBe(true)
  await end()
  await refreshing
  expect(world.simulator.tokens.counts()).toEqual(NONE)
  expect(await grantsStored()).toBe(0)
})

test("a grant with too few scopes is ended at the vendor", async () => {
  await disconnect(world.context, { userId, provider: "whoop", wipeData: false })
  await expect(connectAgain(ada, "offline read:sleep")).rejects.toBeInstanceOf(InvalidRequest)
  expect(world.simulator.tokens.counts()).toEqual(NONE)
})

test("a grant with too few scopes does not affect an active connection", async () => {
  await expect(connectAgain(ada, "offline read:profile read:body_measurement")).rejects.toBeInstanceOf(InvalidRequest)
  await world.sync(userId)
  expect(await statusOf()).toBe("ok")
  const bob = world.simulator.people.add({ email: "bob@example.com" })
  const before = world.simulator.tokens.counts()
  await expect(connectAgain(bob, "offline read:profile read:body_measurement")).rejects.toBeInstanceOf(InvalidRequest)
  expect(world.simulator.tokens.counts()).toEqual(before)
})

test.each([0, 2 * HOUR_MS])("connecting as another person ends their new grant alone, %d ms later", async (later) => {
  const bob = world.simulator.people.add({ email: "bob@example.com" })
  world.simulator.clock.advance(later)
  await expect(connectAgain(bob)).rejects.toThrow("another person's than the stored data")
  expect(world.simulator.tokens.counts()).toMatchObject({ codes: 0, refreshTokens: 1 })
  await world.sync(userId)
  expect(await statusOf()).toBe("ok")
})

test("connecting again as the same person keeps the new grant, and disconnecting leaves none", async () => {
  await connectAgain(ada)
  world.simulator.clock.advance(2 * HOUR_MS)
  await world.sync(userId)
  expect(await statusOf()).toBe("ok")
  await disconnect(world.context, { userId, provider: "whoop", wipeData: false })
  expect(world.simulator.tokens.counts()).toEqual(NONE)
})
