import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const CANARY = "canary7f3a91"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 20 })
})
afterAll(() => service.close())

test("logs each request without secrets, addresses and health values", async () => {
  const person = service.simulator.people.add({ email: `${CANARY}@vendor.example` })
  const { member, key } = await Member.connected(service, person)
  const { records } = await (await readHealth(service.url, key, "?type=recovery&days=20")).json()
  const hrv = records.map((record: { hrv: number | null }) => record.hrv).find((value: number | null) => value !== null)
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    fetch(service.url + path, { method, redirect: "manual", headers, ...(body !== undefined && { body }) })
  const json = { "content-type": "application/json" }
  await send("GET", `/api/v1/health?api_key=${CANARY}`, {})
  await send("GET", `/api/v1/health?${CANARY}=1`, { authorization: `Bearer ${key}` })
  await send("GET", "/api/v1/health", { authorization: `Bearer ${CANARY}`, cookie: CANARY, "user-agent": CANARY })
  await send("GET", `/${CANARY}?x=${CANARY}`, {})
  await send("GET", `/api/connections/whoop/callback?state=${CANARY}&code=${CANARY}`, { cookie: member.cookie })
  await send("GET", `/api/connections/whoop/callback?error=${CANARY}`, { cookie: member.cookie })
  await send("GET", `/api/connections/${CANARY}/authorize`, { cookie: member.cookie })
  await send(
    "POST",
    "/api/auth/sign-in/email",
    json,
    JSON.stringify({ email: `${CANARY}@x.example`, password: CANARY }),
  )
  await send("POST", "/api/auth/sign-in/email", json, JSON.stringify({ email: member.email, password: CANARY }))
  await send("POST", "/api/auth/sign-in/email", json, `{"password":"${CANARY}`)
  await send("DELETE", "/api/account", { ...json, cookie: member.cookie }, JSON.stringify({ password: CANARY }))
  await expect.poll(() => service.log.filter((line) => line.includes('"answered"')).length).toBeGreaterThan(15)
  const log = service.log.join("")
  const secrets = [CANARY, key, member.password, member.email, member.cookie.split("=")[1] ?? "no cookie"]
  for (const secret of secrets) expect(log.includes(secret), secret).toBe(false)
  expect(hrv).toEqual(expect.any(Number))
  expect(log).not.toMatch(new RegExp(`"hrv|rmssd|"${hrv}"`, "i"))
})

test("logs the cause of an internal error under the id that the client gets", async () => {
  const member = new Member(service)
  await member.signUp()
  await service.store.pool.query("alter table restwell.person rename to person_away")
  const answer = await fetch(`${service.url}/api/account`, { headers: { cookie: member.cookie } })
  await service.store.pool.query("alter table restwell.person_away rename to person")
  expect(answer.status).toBe(500)
  const text = await answer.text()
  expect(JSON.parse(text)).toEqual({
    error: "internal_error",
    message: expect.any(String),
    request_id: answer.headers.get("x-request-id"),
  })
  expect(text).not.toMatch(/person|restwell\.|relation|\.ts/)
  const [line = ""] = service.log.filter((entry) => entry.includes("request failed"))
  expect(JSON.parse(line)).toMatchObject({
    level: 50,
    reqId: answer.headers.get("x-request-id"),
    err: { message: expect.stringMatching(/does not exist/), stack: expect.any(String) },
  })
})

test("refused webhooks have no line each, but one a minute with their number by reason", async () => {
  const replica = await service.startReplica()
  const send = (provider: string, body = "{}") =>
    fetch(`${replica.url}/api/webhooks/${provider}`, { method: "POST", body })
  for (let count = 0; count < 40; count += 1) expect((await send("whoop")).status).toBe(401)
  expect((await send("fitbit")).status).toBe(404)
  expect((await send("whoop", " ".repeat(70_000))).status).toBe(413)
  // Ending writes what the minute has counted so far.
  await replica.close()
  const lines = service.log.map((line) => JSON.parse(line))
  expect(lines.filter(({ route, status }) => route === "/api/webhooks/:provider" && status >= 400)).toEqual([])
  expect(lines.filter(({ msg }) => msg === "webhooks refused").map(({ refused }) => refused)).toEqual([
    { forged: 40, "unknown vendor": 1, "too large": 1 },
  ])
})
