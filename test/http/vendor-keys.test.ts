// A person connects a vendor with a key of their own, over HTTP: asked once, sealed, replaced, refused in words.
import { AccountResponseSchema } from "@restwell/client"
import type { Person } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest"

const PATH = "/api/connections/intervals/credential"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ vendor: "intervals", days: 30 })
})
afterEach(() => service.simulatorOf("intervals").faults.clear())
afterAll(() => service.close())

const accountOf = async (member: Member) =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())

const send = (member: Member, key: unknown) => member.send("PUT", PATH, { key })

async function newcomer(
  name: string,
): Promise<{ readonly member: Member; readonly person: Person; readonly key: string }> {
  const person = service.simulator.people.add({ email: `${name}@vendor.example` })
  const member = new Member(service)
  await member.signUp()
  return { member, person, key: service.simulatorOf("intervals").keyOf(person) }
}

test("a key connects, its history is read, and no answer, log or column has it", async () => {
  const { member, key } = await newcomer("connects")
  const { vendors } = await accountOf(member)
  expect(vendors.find(({ provider }) => provider === "intervals")).toMatchObject({
    is_set_up: true,
    setup: null,
    key: { page: "intervals.icu/settings", attribution: expect.stringContaining("Garmin") },
  })
  const connected = await send(member, `  ${key}\n`)
  expect([connected.status, await connected.json()]).toEqual([200, { provider: "intervals", status: "syncing" }])
  await vi.waitFor(async () => {
    const { connections } = await accountOf(member)
    expect(connections).toMatchObject([{ provider: "intervals", status: "ok", history: { complete: true } }])
  }, 20_000)
  expect(JSON.stringify(await accountOf(member))).not.toContain(key)
  expect(service.log.join("")).not.toContain(key)
  const { rows } = await service.store.pool.query("select access_token, refresh_token from restwell.vendor_grant")
  expect(rows).toEqual([{ access_token: expect.any(Buffer), refresh_token: null }])
  expect(String(rows[0].access_token)).not.toContain(key)
})

test("a key that the vendor does not accept is refused with its field, and nothing is stored", async () => {
  const { member } = await newcomer("refused")
  const refused = await send(member, "2w0vk4rq1c8m6x9z3p5t7y")
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({
      error: "invalid_request",
      field: "key",
      message: expect.stringMatching(/^intervals\.icu does not accept this key/),
    }),
  ])
  for (const key of ["", "two words", "line\nbreak", "k\u00e9y", 7, "x".repeat(501)]) {
    const answer = await send(member, key)
    expect([answer.status, (await answer.json()).field], String(key)).toEqual([400, "key"])
  }
  expect((await accountOf(member)).connections).toEqual([])
})

test.each([400, 404, 422])("a key that the vendor refuses with %i is refused with its field", async (status) => {
  const { member, key } = await newcomer(`refused-${status}`)
  service.simulatorOf("intervals").faults.add({ kind: "status", status })
  const refused = await send(member, key)
  expect([refused.status, await refused.json()]).toEqual([
    400,
    expect.objectContaining({ field: "key", message: expect.stringMatching(/does not accept this key/) }),
  ])
  expect((await accountOf(member)).connections).toEqual([])
})

test("a vendor that does not answer is 503, and nothing is stored", async () => {
  const { member, key } = await newcomer("unreachable")
  service.simulatorOf("intervals").faults.add({ kind: "status", status: 502 })
  const answer = await send(member, key)
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ error: "unavailable" })])
  expect((await accountOf(member)).connections).toEqual([])
})

test("another person's key is 409 in words, and a second key of the same person replaces the first", async () => {
  const [one, other] = [await newcomer("one"), await newcomer("other")]
  expect((await send(one.member, one.key)).status).toBe(200)
  const refused = await send(one.member, other.key)
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({ error: "conflict", message: expect.stringContaining("delete the stored data first") }),
  ])
  service.simulatorOf("intervals").renewKey(one.person)
  expect((await send(one.member, service.simulatorOf("intervals").keyOf(one.person))).status).toBe(200)
  expect((await accountOf(one.member)).connections).toMatchObject([{ provider: "intervals" }])
  expect((await one.member.send("DELETE", "/api/connections/intervals?data=delete")).status).toBe(204)
  expect((await send(one.member, other.key)).status).toBe(200)
})

test("it needs a session, is for vendors of keys alone, and its page is where a browser is led", async () => {
  const { member, key } = await newcomer("other-ways")
  const anybody = await fetch(service.url + PATH, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ key }),
  })
  expect(anybody.status).toBe(401)
  const whoop = await member.send("PUT", "/api/connections/whoop/credential", { key })
  expect([whoop.status, (await whoop.json()).error]).toEqual([404, "not_found"])
  const begun = await member.send("GET", "/api/connections/intervals/authorize")
  expect([begun.status, begun.headers.get("location")]).toEqual([302, `${service.url}/connections#intervals`])
  const webhook = await fetch(`${service.url}/api/webhooks/intervals`, { method: "POST", body: "{}" })
  expect(webhook.status).toBe(404)
})

test("a day without times is in recoveries, days, weights and the metric asleep, and in no sleep", async () => {
  const { member, person, key } = await newcomer("reads")
  const row = service
    .simulatorOf("intervals")
    .records(person)
    .wellness.findLast(({ sleepSecs, hrv }) => sleepSecs !== null && hrv !== null)
  expect((await send(member, key)).status).toBe(200)
  const apiKey = await member.newKey()
  await vi.waitFor(async () => {
    const { connections } = await accountOf(member)
    expect(connections).toMatchObject([{ status: "ok", history: { complete: true } }])
  }, 20_000)
  const read = async (search: string) => (await readHealth(service.url, apiKey, search)).json()
  expect(await read("?type=sleep&days=20")).toMatchObject({ records: [] })
  const recoveries = (await read("?type=recovery&days=40")).records
  expect(recoveries.find(({ date }: { date: string }) => date === row?.id)).toMatchObject({
    score: null,
    hrv: row?.hrv,
    hrv_method: "rmssd",
    source: "intervals",
  })
  const get = async (path: string) =>
    (await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${apiKey}` } })).json()
  expect(await get(`trend?metric=asleep&start_date=${row?.id}&end_date=${row?.id}&points=true`)).toMatchObject({
    source: { provider: "intervals" },
    points: [[row?.id, expect.closeTo((row?.sleepSecs ?? 0) / 3600, 1)]],
  })
  const source = { provider: "intervals" }
  const compared = await get("compare?metric=asleep&days=14")
  expect(compared).toMatchObject({ source, unit: "h", verdict: expect.not.stringMatching("not_enough_data") })
  expect(compared.with.mean).toBeGreaterThan(3)
  const related = await get("relate?outcome=asleep&factor=steps&days=40")
  expect(related).toMatchObject({ source, verdict: expect.not.stringMatching("not_enough_data") })
  expect(related.n).toBeGreaterThan(14)
})

test("a workout that was uploaded twice counts once, and is named with the device behind it", async () => {
  const person = service.simulator.people.add({ email: "twice@vendor.example", history: "none" })
  const member = new Member(service)
  await member.signUp()
  const start = new Date(service.simulator.clock.nowMs() - 30 * 3_600_000).toISOString().slice(0, 19)
  const ride = {
    type: "Ride",
    start_date: `${start}Z`,
    start_date_local: start,
    timezone: "UTC",
    elapsed_time: 3600,
    icu_training_load: 60,
    source: "UPLOAD",
  }
  const { activities } = service.simulatorOf("intervals").edit
  activities.put(person, { ...ride, id: "i1", device_name: "Garmin Edge 1040" })
  activities.put(person, { ...ride, id: "i2", elapsed_time: 3500, device_name: "ZWIFT" })
  expect((await send(member, service.simulatorOf("intervals").keyOf(person))).status).toBe(200)
  await member.untilHistoryIsComplete()
  const key = await member.newKey()
  const { records } = await (await readHealth(service.url, key, "?type=workout&days=5")).json()
  expect(records).toMatchObject([
    { sport_type: "cycling", strain: 60, device: "Garmin Edge 1040", source: "intervals" },
  ])
  const trend = await fetch(`${service.url}/api/v1/trend?metric=workout_count&days=5&points=true`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { points } = await trend.json()
  expect(points.map(([, count]: [string, number]) => count)).toContain(1)
  expect(points.map(([, count]: [string, number]) => count)).not.toContain(2)
})
