import { setTimeout as sleep } from "node:timers/promises"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let member: Member
let other: Member
beforeAll(async () => {
  service = await startTestService({ days: 400 })
  const { people } = service.simulator
  ;({ member } = await Member.connected(service, people.add({ email: "lena@vendor.example" })))
  await fillSockets()
  ;({ member: other } = await Member.connected(service, people.add({ email: "omar@vendor.example" })))
})
afterAll(() => service.close())

/** Makes the only person's export 60 MB, far more than the buffers of a socket, so that it does not end while nobody reads it. */
async function fillSockets(): Promise<void> {
  await service.store.pool.query(`
    insert into restwell.record (user_id, provider, kind, provider_id, score_state, vendor_updated_at, detail, candidate, raw)
    select user_id, provider, kind, copy || provider_id, score_state, vendor_updated_at, detail, candidate,
      raw || jsonb_build_object('padding', repeat('x', 20000))
    from (select * from restwell.record where kind = 'cycle' limit 1) one, generate_series(1, 3000) copy`)
}

const EXPORT = "/api/account/export"

/**
 * Begins an export and reads none of it, so that it goes on until the client is gone.
 * The body is locked: fetch ends the stream of a response that was collected as garbage unless somebody holds a reader.
 */
async function beginExport(): Promise<AbortController> {
  const client = new AbortController()
  const response = await fetch(service.url + EXPORT, {
    headers: { cookie: member.cookie, "accept-encoding": "identity" },
    signal: client.signal,
  })
  expect(response.status).toBe(200)
  response.body?.getReader()
  return client
}

async function untilAllowed(): Promise<void> {
  await expect
    .poll(async () => {
      const response = await member.send("GET", `${EXPORT}?format=csv&type=sleep`)
      await response.text()
      return response.status
    })
    .toBe(200)
}

test("a third export at a time gets 429, another person none, and an aborted one makes room", async () => {
  const clients = [await beginExport(), await beginExport()]
  const refused = await member.send("GET", EXPORT)
  expect(refused.status).toBe(429)
  expect(refused.headers.get("retry-after")).toBe("10")
  expect(await refused.json()).toEqual({
    error: "rate_limited",
    message: "at most 2 exports at a time, try again when one has ended",
    limit: 2,
    reset: expect.any(String),
  })
  expect((await other.send("GET", `${EXPORT}?format=csv&type=sleep`)).status).toBe(200)
  clients[0]?.abort()
  await untilAllowed()
  clients[1]?.abort()
})

test("an export that has ended, or failed, makes room", async () => {
  for (let count = 0; count < 5; count += 1) {
    expect((await member.send("GET", `${EXPORT}?format=xml`)).status).toBe(400)
    expect(await (await member.send("GET", `${EXPORT}?format=csv&type=sleep`)).text()).toContain("duration_hours")
  }
  await sleep(0)
  await untilAllowed()
})

test("many trends that a page asks for at a time are all answered, because they wait for each other", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () => member.send("GET", "/api/account/trends?days=all").then(({ status }) => status)),
  )
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test("of many expensive reads of one person at a time, by key and by session, eight are computed, and the others get 429", async () => {
  const key = await member.newKey()
  const used = await usedOf(key)
  const ask = (index: number) =>
    index % 2 === 0
      ? member.send("GET", `/api/account/relate?outcome=hrv&days=${360 + index}`)
      : fetch(`${service.url}/api/v1/relate?outcome=hrv&days=${360 + index}`, {
          headers: { authorization: `Bearer ${key}` },
        })
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      ask(index).then(async (answer) => ({
        isByKey: index % 2 === 1,
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
        remaining: answer.headers.get("x-ratelimit-remaining"),
        body: await answer.json(),
      })),
    ),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(8)
  for (const { status, retryAfter, remaining, body } of refused) {
    expect([status, retryAfter]).toEqual([429, "1"])
    expect(Number(remaining)).toBeGreaterThan(0)
    expect(body).toEqual({
      error: "rate_limited",
      message:
        "at most 8 expensive reads (statistics, values within the day, periods of the dashboard, exports) at a time, try again when one has ended",
      limit: 8,
      reset: expect.any(String),
    })
  }
  expect(refused.some(({ isByKey }) => isByKey)).toBe(true)
  expect(await usedOf(key)).toBe(used + answers.filter(({ isByKey, status }) => isByKey && status === 200).length)
  expect((await member.send("GET", "/api/account/relate?outcome=hrv&days=200")).status).toBe(200)
})

async function usedOf(key: string): Promise<number> {
  const { headers } = await fetch(`${service.url}/api/v1/health`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${key}` },
  })
  return Number(headers.get("x-ratelimit-limit")) - Number(headers.get("x-ratelimit-remaining"))
}
