import { generateApiKey } from "@restwell/core"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const LIMIT = 30

let service: TestService
let key: string
let unconnectedKey: string
let poorKey: string
beforeAll(async () => {
  service = await startTestService({ days: 40, environment: { FREE_MONTHLY_REQUESTS: String(LIMIT) } })
  const connected = () =>
    Member.connected(service, service.simulator.people.add({ email: `${crypto.randomUUID()}@example.com` }))
  key = (await connected()).key
  const unconnected = new Member(service)
  await unconnected.signUp()
  unconnectedKey = await unconnected.newKey()
  const poor = await connected()
  poorKey = poor.key
  for (let read = 0; read < LIMIT; read += 1) await ask("?type=sleep", { authorization: `Bearer ${poorKey}` })
})
afterAll(() => service.close())

const ask = (search: string, headers: Readonly<Record<string, string>>) =>
  fetch(`${service.url}/api/v1/health${search}`, { headers })

/** All that a client can see, but for what is of this one answer. */
async function seen(search: string, headers: Readonly<Record<string, string>>) {
  const answer = await ask(search, { ...headers, "x-request-id": "the-same" })
  const own = new Set(["date", "keep-alive", "x-ratelimit-remaining", "transfer-encoding"])
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name))),
    body: await answer.text(),
  }
}

test.each([
  ["data", "?type=sleep&days=7", () => key, {}, 200],
  ["data of another type", "?type=recovery&days=30", () => key, {}, 200],
  ["a summary", "", () => key, {}, 200],
  ["a profile", "?type=profile", () => key, {}, 200],
  ["nothing that changed", "?type=cycle", () => key, { "if-none-match": "*" }, 304],
  ["an unknown key", "?type=sleep", () => generateApiKey().text, {}, 401],
  ["no vendor connected", "?type=sleep", () => unconnectedKey, {}, 404],
  ["dates in the wrong order", "?start_date=2026-02-02&end_date=2026-02-01", () => key, {}, 400],
  ["nothing left of the month", "?type=sleep", () => poorKey, {}, 429],
])(
  "%s is answered by the fast path as by the framework, header by header",
  async (_, search, keyOf, headers, status) => {
    const asked = { ...headers, authorization: `Bearer ${keyOf()}` }
    const fast = await seen(search, asked)
    expect(fast.status).toBe(status)
    expect(await seen(`${search}${search === "" ? "?" : "&"}${LONG}`, asked)).toEqual(fast)
  },
)

/** Makes an address too long for the fast path, and says nothing: an empty part of a query is no parameter. */
const LONG = "&".repeat(300)
