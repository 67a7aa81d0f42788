import { AccountResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { readMetrics, startTestService, type TestService } from "@restwell/testing/service"
import { afterEach, expect, test } from "vitest"
import { z } from "zod"

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const SYNC = "/api/connections/whoop/sync"

let service: TestService
afterEach(() => service.close())

const listings = () => service.simulator.requestLog.count({ path: "/developer/v2/cycle" })

async function connectionOf(member: Member) {
  const account = AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
  const [connection] = account.connections
  if (!connection) throw new Error("not connected")
  return connection
}

test("of many presses on two replicas one leads to calls, and later ones get 429 until the minute is over", async () => {
  service = await startTestService({ days: 10 })
  const replica = await service.startReplica()
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" }))
  service.simulator.requestLog.clear()
  const replicas = [member, member.at(replica)]
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => replicas[index % 2]?.send("POST", SYNC).then(({ status }) => status)),
  )
  expect(answers).toContain(202)
  await expect.poll(listings).toBe(1)
  await expect.poll(async () => (await member.send("POST", SYNC)).status).toBe(429)
  const refused = await member.send("POST", SYNC)
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    error: "rate_limited",
    limit: 1,
    reset: expect.any(String),
    message: expect.stringContaining("request the next one in"),
  })
  expect(listings()).toBe(1)
  service.skewClock(MINUTE_MS)
  expect((await member.send("POST", SYNC)).status).toBe(202)
  await expect.poll(listings).toBe(2)
})

test("a person whose share of the calls is used up sees why the sync waits and until when, until it goes on", async () => {
  service = await startTestService({ days: 5, environment: { WHOOP_CALLS_PER_DAY: "60" } })
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "lena@vendor.example" }))
  expect((await connectionOf(member)).waiting).toBe(null)
  let skewMs = 0
  await expect
    .poll(
      async () => {
        skewMs += MINUTE_MS
        service.skewClock(skewMs)
        expect((await member.send("POST", SYNC)).status).toBe(202)
        await expect.poll(async () => (await connectionOf(member)).last_synced_at !== null).toBe(true)
        return (await connectionOf(member)).waiting
      },
      { timeout: 30_000, interval: 200 },
    )
    .toEqual({
      reason: "fair_share",
      message: "the vendor allows this service 60 calls a day for all people together, and your share is used up",
      until: expect.any(String),
    })
  const { waiting, status } = await connectionOf(member)
  expect(status).toBe("ok")
  expect(Date.parse(waiting?.until ?? "") - service.simulator.clock.nowMs()).toBeGreaterThan(DAY_MS / 2)
  expect(await readMetrics(service)).toContain('restwell_connections_waiting{provider="whoop",reason="fair_share"} 1')
  expect(service.log.find((line) => line.includes("waits for the vendor's limits"))).toContain("fair_share")
  service.skewClock(skewMs + DAY_MS + MINUTE_MS)
  await expect.poll(async () => (await connectionOf(member)).waiting, { timeout: 30_000 }).toBe(null)
})

test("304 means that the time of the last sync is the same too: a sync that finds nothing new leads to an answer", async () => {
  service = await startTestService({ days: 10 })
  const { member, key } = await Member.connected(
    service,
    service.simulator.people.add({ email: "lena@vendor.example" }),
  )
  await member.untilHistoryIsComplete()
  const read = (etag = "") =>
    fetch(`${service.url}/api/v1/health?type=sleep&days=7`, {
      headers: { authorization: `Bearer ${key}`, "if-none-match": etag },
    })
  const first = await read()
  const etag = first.headers.get("etag") ?? ""
  const { records, source } = AnswerSchema.parse(await first.json())
  expect((await read(etag)).status).toBe(304)
  service.skewClock(MINUTE_MS)
  expect((await member.send("POST", SYNC)).status).toBe(202)
  await expect.poll(async () => (await connectionOf(member)).last_synced_at).not.toBe(source.last_synced_at)
  const later = await read(etag)
  expect(later.status).toBe(200)
  expect(later.headers.get("x-ratelimit-remaining")).toBe(
    String(Number(first.headers.get("x-ratelimit-remaining")) - 1),
  )
  const answer = AnswerSchema.parse(await later.json())
  expect(answer.records).toEqual(records)
  expect(Date.parse(answer.source.last_synced_at)).toBeGreaterThan(Date.parse(source.last_synced_at))
})

const AnswerSchema = z.object({
  records: z.array(z.unknown()).min(1),
  source: z.object({ last_synced_at: z.string() }),
})
