import { randomUUID } from "node:crypto"
import { request } from "node:http"
import { KeyResponseSchema } from "@restwell/client"
import { generateApiKey } from "@restwell/core"
import { failureExamples } from "@restwell/server/api-responses"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { z } from "zod"
import { newToken, push } from "../pushes/pusher.ts"

/** The examples of errors in the OpenAPI document and in the reference are what the service answers. */
let service: TestService
let owner: Member
let member: Member
let stranger: Member
let key: string
let examples: ReadonlySet<string>
beforeAll(async () => {
  service = await startTestService({ days: 3, environment: { FREE_MONTHLY_REQUESTS: "20" } })
  owner = new Member(service)
  await owner.setUp()
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
  stranger = new Member(service)
  await stranger.signUp()
  examples = new Set(failureExamples().map(general))
})
afterAll(() => service.close())

const ErrorSchema = z.looseObject({ error: z.string(), message: z.string() })

/** Times, ids, counts and the service's address differ from one answer to another. */
const general = (body: object): string =>
  JSON.stringify(body, Object.keys(body).toSorted())
    .replaceAll(/https?:\/\/(?:localhost:\d+|restwell\.example)/g, "ADDRESS")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replaceAll(/\d+/g, "N")
    .replaceAll("N seconds", "N second")

const seen = new Set<string>()

async function expectExample(status: number, answer: Pick<Response, "status" | "json">): Promise<void> {
  const body = general(ErrorSchema.parse(await answer.json()))
  expect([answer.status, [...examples]]).toEqual([status, expect.arrayContaining([body])])
  seen.add(body)
}

const byKey = (path: string, method = "GET", apiKey = key): Promise<Response> =>
  fetch(service.url + path, { method, headers: { authorization: `Bearer ${apiKey}` } })
const post = (path: string, body: string, type = "application/json"): Promise<Response> =>
  fetch(service.url + path, { method: "POST", headers: { "content-type": type }, body })

/** Headers that fetch refuses to send. */
function raw(headers: Record<string, string>): Promise<Pick<Response, "status" | "json">> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<Response, "status" | "json">>()
  const sent = request(`${service.url}/api/v1/health`, { method: "POST", headers }, async (response) => {
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    resolve({ status: response.statusCode ?? 0, json: async () => JSON.parse(Buffer.concat(pieces).toString()) })
  })
  sent.on("error", reject)
  sent.end()
  return promise
}

const TOKENS = "/api/account/ingest-tokens"
const pushBy = (token: string) => push(service, { records: [] }, { token })

const LARGE = "x".repeat(17_000)
const ANSWERS: readonly (readonly [string, number, () => Promise<Pick<Response, "status" | "json">>])[] = [
  ["an invalid parameter", 400, () => byKey("/api/v1/health?days=91")],
  ["an unknown key", 401, () => byKey("/api/v1/health", "GET", generateApiKey().text)],
  ["no session", 401, () => fetch(`${service.url}/api/account`)],
  ["another site", 403, () => member.send("POST", "/api/account/api-key", undefined, { origin: "https://x.example" })],
  ["no vendor connected", 404, async () => byKey("/api/v1/health", "GET", await stranger.newKey())],
  ["an unsigned webhook", 401, () => post("/api/webhooks/whoop", "{}")],
  ["an unknown vendor", 404, () => post("/api/webhooks/fitbit", "{}")],
  ["an unknown assistant", 404, () => member.send("DELETE", `/api/account/assistants/${randomUUID()}`)],
  ["an invalid link", 404, () => post("/api/auth/reset-link", JSON.stringify({ token: "x".repeat(43) }))],
  ["an unknown person", 404, () => owner.send("PUT", `/api/service/people/${randomUUID()}`, { plan: "pro" })],
  ["somebody who is not the owner", 403, () => member.send("GET", "/api/service")],
  ["an unknown import", 404, () => member.send("DELETE", `/api/imports/${randomUUID()}`)],
  ["an unknown token for pushes", 401, () => pushBy(generateApiKey("rwi_").text)],
  ["no such token for pushes", 404, () => member.send("DELETE", `${TOKENS}/${randomUUID()}`)],
  ["another method", 405, () => byKey("/api/v1/health", "POST")],
  ["a misspelled path", 404, () => fetch(`${service.url}/api/v1/heallth`)],
  ["a large body", 413, () => post("/api/auth/sign-in/email", JSON.stringify({ email: LARGE }))],
  ["a long URL", 414, () => fetch(`${service.url}/api/v1/health?${"x".repeat(9_000)}`)],
  ["another media type", 415, () => post("/api/auth/sign-in/email", "x", "text/plain")],
  ["an unknown Expect", 417, () => raw({ expect: "x" })],
  ["large headers", 431, () => raw({ "x-large": "x".repeat(20_000) })],
  ["an email address with an account", 409, () => post("/api/auth/sign-up/email", JSON.stringify(signUpOf(member)))],
]
const signUpOf = ({ email, password }: Member) => ({ name: "Ada", email, password })

test.each(ANSWERS)("%s", async (_what, status, answer) => expectExample(status, await answer()))

test("syncs that are requested too often", async () => {
  await member.send("POST", "/api/connections/whoop/sync")
  await expect
    .poll(async () => (await member.send("POST", "/api/connections/whoop/sync")).status, { timeout: 30_000 })
    .toBe(429)
  await expectExample(429, await member.send("POST", "/api/connections/whoop/sync"))
})

test("an unknown push, too many tokens for pushes, and too many pushes", async () => {
  const { token } = await newToken(member)
  const headers = { authorization: `Bearer ${token}` }
  await expectExample(404, await fetch(`${service.url}/api/ingest/${randomUUID()}`, { headers }))
  for (let made = 1; made < 20; made += 1) await newToken(member)
  await expectExample(409, await member.send("POST", TOKENS, { name: "One more" }))
  for (let sent = 0; sent < 120; sent += 1) await pushBy(token)
  await expectExample(429, await pushBy(token))
})

test("an unknown key, too many keys, and what a key does not open", async () => {
  const path = "/api/account/keys"
  await expectExample(404, await member.send("DELETE", `${path}/${randomUUID()}`))
  const made = await member.send("POST", path, { name: "Sleep", types: ["sleep"] })
  const { api_key: key } = KeyResponseSchema.parse(await made.json())
  await expectExample(403, await byKey("/api/v1/health?type=recovery", "GET", key))
  for (let count = 1; count < 20; count += 1) await member.send("POST", path, { name: `Key ${count}` })
  await expectExample(409, await member.send("POST", path, { name: "One more" }))
})

test("an unknown, an ended and a busy share, and too many of them", async () => {
  const path = "/api/account/shares"
  await expectExample(404, await member.send("DELETE", `${path}/${randomUUID()}`))
  const make = async () => {
    const made = await member.send("POST", path, { name: "Coach", types: ["sleep"], days: 7 })
    return z.object({ id: z.string(), url: z.url() }).parse(await made.json())
  }
  const view = (url: string) =>
    fetch(`${service.url}/api/shared/report`, { headers: { authorization: `Bearer ${new URL(url).hash.slice(1)}` } })
  const { id, url } = await make()
  for (let viewed = 0; viewed < 30; viewed += 1) expect((await view(url)).status).toBe(200)
  await expectExample(429, await view(url))
  await member.send("DELETE", `${path}/${id}`)
  await expectExample(401, await view(url))
  for (let made = 0; made < 20; made += 1) await make()
  await expectExample(409, await member.send("POST", path, { name: "One more", types: ["sleep"], days: 7 }))
})

test("an unknown webhook and an unknown browser", async () => {
  for (const path of ["/api/account/webhooks", "/api/account/push-subscriptions"])
    await expectExample(404, await member.send("DELETE", `${path}/${randomUUID()}`))
})

test("a month that is used up", async () => {
  expect((await byKey("/api/v1/health")).status).toBe(200)
  await service.store.pool.query("update restwell.usage set used = 20")
  await expectExample(429, await byKey("/api/v1/health"))
})

test("an internal error", async () => {
  await service.store.pool.query("alter table restwell.backup rename to hidden")
  const answer = await owner.send("GET", "/api/service")
  await service.store.pool.query("alter table restwell.hidden rename to backup")
  await expectExample(500, answer)
})

test("too many expensive reads at a time", async () => {
  // Requests of one session wait for each other.
  const browsers: Member[] = []
  for (let count = 0; count < 8; count += 1) {
    const browser = new Member(service, {}, member.email)
    const { email, password } = member
    expect((await browser.send("POST", "/api/auth/sign-in/email", { email, password })).status).toBe(200)
    browsers.push(browser)
  }
  const ask = (days: number) =>
    browsers.map((browser, index) => browser.send("GET", `/api/account/relate?outcome=hrv&days=${days + index}`))
  const refused = async () => {
    const answers = await Promise.all([30, 130, 230].flatMap(ask))
    return answers.find(({ status }) => status === 429)
  }
  const found = await vi.waitUntil(refused, { timeout: 30_000 })
  await expectExample(429, found)
})

test("too many attempts", async () => {
  const wrong = () =>
    post("/api/auth/sign-in/email", JSON.stringify({ email: member.email, password: "not the password" }))
  let answer = await wrong()
  for (let count = 0; count < 40 && answer.status === 401; count += 1) answer = await wrong()
  await expectExample(429, answer)
})

/** They need a slow client, five archives, receivers, many secrets, a database that is away, a mail server, keys at a vendor, or a service without an owner: other tests provoke them. */
const ELSEWHERE = [
  /^the request took too long to arrive$/,
  /archives are being imported already/,
  /^the database does not answer/,
  /^too many test messages/,
  /^this Restwell has an owner already/,
  /^the set-up code is wrong/,
  /^there are 20 (?:webhooks|browsers) already/,
  /^this webhook is disabled/,
  /^10 secrets of this webhook sign already/,
  /^example\.com answered 500/,
  /^this account at intervals\.icu is already connected to another account/,
]

test("every other example is provoked above", () => {
  const messages = failureExamples()
    .filter((example) => !seen.has(general(example)))
    .map(({ message }) => message)
  expect(messages.filter((message) => !ELSEWHERE.some((other) => other.test(message)))).toEqual([])
})
