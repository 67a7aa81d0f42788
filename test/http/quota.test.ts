import { Member, readHealth } from "@restwell/testing/member"
import { quotaOf, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const LIMIT = 150
const CLIENTS = 32
const LAST = 100

let service: TestService
let member: Member
let key: string
let replicas: readonly string[]
beforeAll(async () => {
  service = await startTestService({ days: 20, environment: quotaOf(LIMIT) })
  const other = await service.startReplica()
  replicas = [service.url, other.url]
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

test("32 clients racing over two replicas for the last 100 requests get exactly 100 answers", async () => {
  for (let used = 0; used < LIMIT - LAST; used += 1) await readHealth(service.url, key)
  const remaining: number[] = []
  const statuses: number[] = []
  const client = async (index: number): Promise<void> => {
    for (let request = 0; request < 6; request += 1) {
      const answer = await readHealth(replicas[(index + request) % replicas.length] ?? "", key)
      statuses.push(answer.status)
      if (answer.status === 200) remaining.push(Number(answer.headers.get("x-ratelimit-remaining")))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(LAST)
  expect(statuses.filter((status) => status === 429)).toHaveLength(CLIENTS * 6 - LAST)
  expect(remaining.toSorted((one, other) => one - other)).toEqual(Array.from({ length: LAST }, (_, index) => index))
})

test("429 contains the limit and its reset", async () => {
  const answer = await readHealth(service.url, key)
  expect(answer.status).toBe(429)
  const reset = answer.headers.get("x-ratelimit-reset") ?? ""
  expect(await answer.json()).toEqual({ error: "rate_limited", message: expect.any(String), limit: LIMIT, reset })
  expect(answer.headers.get("x-ratelimit-remaining")).toBe("0")
  const seconds = (Date.parse(reset) - Date.now()) / 1000
  expect(Math.abs(Number(answer.headers.get("retry-after")) - seconds)).toBeLessThan(10)
})

test("an unchanged response still gets 304 when the quota is used up", async () => {
  const other = await Member.connected(service, service.simulator.people.add({ email: "bob@vendor.example" }))
  const etag = (await readHealth(service.url, other.key)).headers.get("etag") ?? ""
  for (let used = 1; used < LIMIT; used += 1) await readHealth(service.url, other.key)
  expect((await readHealth(service.url, other.key)).status).toBe(429)
  expect((await readHealth(service.url, other.key, "", { "if-none-match": etag })).status).toBe(304)
})

test("the account shows the usage, also by day", async () => {
  const { usage } = await (await member.send("GET", "/api/account")).json()
  expect(usage).toMatchObject({ limit: LIMIT, used: LIMIT, remaining: 0 })
  expect(usage.by_day).toHaveLength(30)
  const today = new Date().toISOString().slice(0, 10)
  expect(usage.by_day.at(-1)).toMatchObject({ date: today })
  // Midnight may be between the reads.
  expect(usage.by_day.slice(-2).reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)).toBe(
    LIMIT,
  )
})

test("the next UTC month begins with a full quota", async () => {
  const { usage } = await (await member.send("GET", "/api/account")).json()
  service.simulator.clock.set(new Date(Date.parse(usage.reset) - 5_000))
  expect((await readHealth(service.url, key)).status).toBe(429)
  service.simulator.clock.set(new Date(usage.reset))
  const answer = await readHealth(service.url, key)
  expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toEqual([200, String(LIMIT - 1)])
})

test("a replaced key is refused from the next request on, on every replica", async () => {
  const person = service.simulator.people.add({ email: "eve@vendor.example" })
  const connected = await Member.connected(service, person)
  let current = connected.key
  for (let round = 0; round < 20; round += 1) {
    const former = current
    current = await connected.member.newKey()
    const [dead, alive] = [replicas[round % 2] ?? "", replicas[(round + 1) % 2] ?? ""]
    expect((await readHealth(dead, former)).status).toBe(401)
    expect((await readHealth(alive, current)).status).toBe(200)
  }
})
