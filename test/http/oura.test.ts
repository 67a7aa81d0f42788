// A person connects Oura through the vendor's own pages, over HTTP alone, and ends it again.
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { z } from "zod"

const DAY_MS = 86_400_000
const SCOPES = ["personal", "daily", "workout", "heartrate", "spo2", "tag", "email"]

let service: TestService
beforeAll(async () => {
  // Approves nobody by itself.
  service = await startTestService({ vendor: "oura", days: 30, beside: { oura: { autoApprove: "nobody" } } })
  await vi.waitFor(() => expect(service.simulatorOf("oura").subscriptions()).toHaveLength(18), 20_000)
})
afterAll(() => service.close())

const AccountSchema = z.object({
  providers: z.array(z.string()),
  connections: z.array(
    z.object({
      provider: z.string(),
      status: z.string(),
      gaps: z.array(z.object({ collection: z.string(), reason: z.string(), next_step: z.string() })),
    }),
  ),
})
const AnswerSchema = z.object({ records: z.array(z.looseObject({ id: z.string().optional() })) })

async function accountOf(member: Member) {
  return AccountSchema.parse(await (await member.send("GET", "/api/account")).json())
}

const read = async (key: string, search: string) =>
  AnswerSchema.parse(await (await readHealth(service.url, key, search)).json()).records

const readJournal = async (key: string) => {
  const answer = await fetch(`${service.url}/api/v1/journal?days=40&source=oura`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return AnswerSchema.parse(await answer.json()).records
}

/** Opens Oura's page, allows these scopes there, and returns to the service. */
async function connect(member: Member, email: string, allowed: readonly string[] = SCOPES): Promise<Response> {
  const begun = await member.send("GET", "/api/connections/oura/authorize")
  const page = new URL(begun.headers.get("location") ?? "")
  expect(page.origin).toBe(service.simulatorOf("oura").url)
  const html = await (await fetch(page)).text()
  for (const scope of SCOPES) expect(html).toContain(`name="allowed_scope" value="${scope}"`)
  const form = new URLSearchParams(page.searchParams)
  for (const scope of allowed) form.append("allowed_scope", scope)
  form.set("person", email)
  form.set("decision", "allow")
  const answer = await fetch(new URL(page.pathname, page), { method: "POST", redirect: "manual", body: form })
  const callback = new URL(answer.headers.get("location") ?? "")
  expect(callback.pathname).toBe("/api/connections/oura/callback")
  return member.send("GET", callback.pathname + callback.search)
}

async function join(email: string, allowed?: readonly string[]) {
  const person = service.simulator.people.add({ email })
  const member = new Member(service)
  await member.signUp()
  const connected = await connect(member, email, allowed)
  expect(connected.status).toBe(302)
  expect(connected.headers.get("location")).toContain("connected=oura")
  await member.untilHistoryIsComplete()
  return { person, member, key: await member.newKey() }
}

test("a person connects Oura, reads the nights, gets a new one by webhook, and disconnects", async () => {
  const { person, member, key } = await join("ada@example.com")
  expect((await accountOf(member)).providers).toEqual(["whoop", "oura", "intervals", "ultrahuman"])
  expect((await accountOf(member)).connections).toMatchObject([{ provider: "oura", status: "ok", gaps: [] }])
  const nights = service.vendor.idsOf(person, "sleep").map((id) => `oura-${id}`)
  expect(nights.length).toBeGreaterThan(20)
  expect((await read(key, "?type=sleep&days=40")).map(({ id }) => id).toSorted()).toEqual(nights.toSorted())

  // The ring is synchronised some time after waking.
  service.simulator.clock.advance(1.5 * DAY_MS)
  await service.simulatorOf("oura").webhooks.flush()
  const [newest] = service.vendor.idsOf(person, "sleep")
  expect(nights).not.toContain(`oura-${newest}`)
  await expect.poll(async () => (await read(key, "?type=sleep&days=2"))[0]?.id).toBe(`oura-${newest}`)
  service.simulatorOf("oura").edit.sleep.delete(person, newest ?? "")
  await service.simulatorOf("oura").webhooks.flush()
  await expect.poll(async () => (await read(key, "?type=sleep&days=2"))[0]?.id).not.toBe(`oura-${newest}`)

  const before = service.simulatorOf("oura").requestLog.count({ path: "/oauth/v2/ext/oauth-revoke" })
  expect((await member.send("DELETE", "/api/connections/oura?data=delete")).status).toBe(204)
  expect(service.simulatorOf("oura").requestLog.count({ path: "/oauth/v2/ext/oauth-revoke" })).toBeGreaterThan(before)
  expect(service.simulatorOf("oura").tokens.counts().refreshTokens).toBe(0)
  expect((await readHealth(service.url, key, "?type=sleep")).status).toBe(404)
})

const refused = (collection: string, title: string) => ({
  collection,
  reason: `Oura does not allow ${title}`,
  next_step: expect.stringContaining("Connect Oura again with every box ticked"),
})

test("without workouts, heart rates, tags and blood oxygen the connection works, the account says what is missing, and allowing them later brings the history", async () => {
  const { person, member, key } = await join("ben@example.com", ["personal", "daily", "email"])
  expect((await accountOf(member)).connections).toMatchObject([
    {
      status: "ok",
      gaps: [
        refused("daily_spo2", "SpO2"),
        refused("enhanced_tag", "tags"),
        refused("heartrate", "heart rates of the day"),
        refused("workout", "workouts"),
      ],
    },
  ])
  expect(await read(key, "?type=workout&days=40")).toEqual([])
  expect(await readJournal(key)).toEqual([])
  expect((await read(key, "?type=recovery&days=40")).length).toBeGreaterThan(20)
  await connect(member, "ben@example.com")
  await expect.poll(async () => (await accountOf(member)).connections).toMatchObject([{ status: "ok", gaps: [] }])
  const workouts = service.vendor.idsOf(person, "workout").length
  expect(workouts).toBeGreaterThan(5)
  await expect.poll(async () => (await read(key, "?type=workout&days=40")).length).toBe(workouts)
  await expect.poll(async () => (await readJournal(key)).length).toBeGreaterThan(3)
})

test("without the days' data the connection is refused, with the scope's name", async () => {
  service.simulator.people.add({ email: "eve@example.com" })
  const member = new Member(service)
  await member.signUp()
  const refused = await connect(member, "eve@example.com", ["personal"])
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ field: "scope", message: expect.stringContaining("daily") })
  expect((await accountOf(member)).connections).toEqual([])
})

test.each([
  ["with another token", "?verification_token=guessed&challenge=abc", 401],
  ["without a token", "?challenge=abc", 401],
  ["of a vendor that asks none", "whoop", 404],
  ["of an unknown vendor", "fitbit", 404],
])("a challenge %s is not answered", async (_name, asked, status) => {
  const path = asked.startsWith("?") ? `oura${asked}` : `${asked}?verification_token=x&challenge=abc`
  expect((await fetch(`${service.url}/api/webhooks/${path}`)).status).toBe(status)
})
