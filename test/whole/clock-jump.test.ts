import {
  callConnector,
  callTool,
  connectAssistant,
  refresh,
  type Tokens,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const YEAR_MS = 366 * DAY_MS
/** Wrong passwords before an account is locked for five minutes. */
const GUESSES = 10

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 10 })
})
afterAll(() => service.close())

interface Living {
  readonly member: Member
  readonly key: string
  readonly tokens: Tokens & { readonly clientId: string }
}

async function addLiving(): Promise<Living> {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  return { member, key, tokens: await connectAssistant(service, member) }
}

/** Sends wrong passwords until the account is locked. */
async function guess({ email }: Member): Promise<void> {
  const guesses = Array.from({ length: GUESSES + 1 }, () => signIn(email, "a wrong password"))
  expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429)
}

const signIn = (email: string, password: string): Promise<Response> =>
  fetch(`${service.url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  })

const syncedAt = async ({ key }: Living): Promise<number> =>
  Date.parse((await (await readHealth(service.url, key)).json()).source.last_synced_at)

/** A sync that waited may end while another is requested. */
const JUST_BEFORE_MS = 1_000

/** Requests a sync and waits until its time is the service's present time. */
async function sync(living: Living, skewMs = 0): Promise<void> {
  const askedAt = service.simulator.clock.nowMs() + skewMs
  expect((await living.member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  const done = async () => {
    const at = await syncedAt(living)
    expect(at).toBeGreaterThanOrEqual(askedAt - JUST_BEFORE_MS)
    expect(at).toBeLessThan(askedAt + MINUTE_MS)
  }
  await vi.waitFor(done, { timeout: 30_000, interval: 50 })
}

/** Expects that everything a person does works as before. */
async function expectAllIsWell(living: Living): Promise<void> {
  const { member, key } = living
  expect((await readHealth(service.url, key)).status).toBe(200)
  expect((await signIn(member.email, member.password)).status).toBe(200)
  expect((await member.send("GET", "/api/account")).status).toBe(200)
  await sync(living)
}

/** Refreshes the assistant's tokens, as it does at the end of each hour. */
async function expectRefreshes({ tokens: { clientId, refresh_token } }: Living): Promise<void> {
  const answer = await refresh(service, clientId, refresh_token)
  const { access_token } = TokensSchema.parse(await answer.json())
  expect((await callTool(service, access_token, "get_sleep")).isError).toBeUndefined()
}

/** Lets the vendor answer 429 with a reset time, while the service's clock is wrong. */
async function bePaused({ member }: Living): Promise<void> {
  const paused = service.log.length
  const headers = { "X-RateLimit-Reset": "40" }
  const mend = service.simulator.faults.add({ kind: "rate_limit", match: { path: "/developer" }, headers })
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await vi.waitFor(
    () =>
      expect(service.log.slice(paused).some((line) => line.includes("sync waits for the vendor's limits"))).toBe(true),
    { timeout: 30_000 },
  )
  mend()
}

for (const [name, skewMs] of [
  ["a day", DAY_MS],
  ["a year", YEAR_MS],
  ["an hour", HOUR_MS],
] as const)
  test(`after a clock that was ${name} ahead, everything works again`, async () => {
    const living = await addLiving()
    service.skewClock(skewMs)
    await sync(living, skewMs)
    await guess(living.member)
    const forged = await connectAssistant(service, living.member)
    // One sync a minute may be requested.
    service.skewClock(skewMs + MINUTE_MS)
    await bePaused(living)
    service.skewClock(0)
    await expectAllIsWell(living)
    // Authorizations that expired within the year are deleted, so the person connects the assistant again.
    if (skewMs < YEAR_MS) await expectRefreshes(living)
    else await connectAssistant(service, living.member)
    // An access token from that time would be valid for as long.
    if (skewMs >= YEAR_MS) expect((await callConnector(service, forged.access_token, "tools/list")).status).toBe(401)
  })

test("everything works after a clock is set back by an hour", async () => {
  const living = await addLiving()
  await guess(living.member)
  await bePaused(living)
  service.skewClock(-HOUR_MS)
  await expect(signIn(living.member.email, living.member.password)).resolves.toMatchObject({ status: 200 })
  await sync(living, -HOUR_MS)
  // One sync a minute may be requested.
  service.skewClock(MINUTE_MS)
  await sync(living, MINUTE_MS)
})

test("records that seemed to be of the future are read after a clock that was three days behind", async () => {
  const rejected = async () => (await service.store.pool.query("select from restwell.rejected_record")).rowCount
  service.skewClock(-3 * DAY_MS)
  const living = await addLiving()
  expect(await rejected()).toBeGreaterThan(0)
  service.skewClock(0)
  await sync(living)
  await vi.waitFor(async () => expect(await rejected()).toBe(0), { timeout: 30_000, interval: 50 })
})
