import { setTimeout as wait } from "node:timers/promises"
import type { Simulator } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { createTestDatabase, NOT_DURABLE, startPostgres } from "@restwell/testing/database"
import { Member, readHealth } from "@restwell/testing/member"
import {
  linesBesideRequests,
  serviceEnvironment,
  startServiceProcess,
  UNLIMITED_QUOTA,
} from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { letNightsPass, newestNight, startVendorBehind } from "./coming-nights.ts"
import { fillDisk } from "./full-disk.ts"
import { countOf, startLoad } from "./load.ts"
import { mountSmallDisk } from "./small-disk.ts"

const FULL = "the disk of the database is full: the operator must free space, then the service recovers by itself"

let vendor: Simulator
beforeAll(async () => {
  vendor = await startVendorBehind()
})
afterAll(() => vendor.close())

const startOn = (database: { readonly url: string }) =>
  startServiceProcess({ environment: { ...serviceEnvironment(database, vendor), ...UNLIMITED_QUOTA } })

test("on a full disk a write is answered with 503 and the reason, and works again once there is space", async () => {
  const store = await createTestDatabase()
  const service = await startOn(store)
  try {
    const { member, key } = await Member.connected(service, vendor.people.add({ email: "ada@vendor.example" }))
    const { access_token } = await connectAssistant(service, member)
    const before = await newestNight(member)
    const freeSpace = await fillDisk(store.url, ["restwell"])
    const credentials = { email: member.email, password: member.password }
    const answers: [string, Response][] = [
      ["health", await readHealth(service.url, key)],
      ["a new key", await member.send("POST", "/api/account/api-key")],
      ["signing in", await member.send("POST", "/api/auth/sign-in/email", credentials)],
      ["the vendor's page", await member.send("GET", "/api/connections/whoop/authorize")],
      ["a sync", await member.send("POST", "/api/connections/whoop/sync")],
    ]
    for (const [what, answer] of answers) {
      expect([what, answer.status, await answer.json()]).toEqual([what, 503, { error: "unavailable", message: FULL }])
      expect(Number(answer.headers.get("retry-after")), what).toBeGreaterThan(0)
    }
    const tool = await callTool(service, access_token, "get_sleep", { days: 7 })
    expect(tool).toMatchObject({ isError: true, content: [{ text: `unavailable: ${FULL}` }] })
    // Requests that write nothing still work.
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    expect(await newestNight(member)).toBe(before)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)

    const { usage } = await (await member.send("GET", "/api/account")).json()
    await freeSpace()
    expect((await readHealth(service.url, key)).status).toBe(200)
    const { usage: after } = await (await member.send("GET", "/api/account")).json()
    expect(after.used - usage.used).toBe(1)
  } finally {
    await service.stop()
    await store.drop()
  }
})

test("jobs that fail on a full disk are retried", async () => {
  const store = await createTestDatabase()
  const service = await startOn(store)
  try {
    const person = vendor.people.add({ email: "eve@vendor.example" })
    const { member, key } = await Member.connected(service, person)
    const before = await newestNight(member)
    const freeSpace = await fillDisk(store.url, ["restwell"])
    letNightsPass(vendor)
    // Some tables still have space on their last page, so the vendor is called again and again for records that cannot be stored.
    await store.pool.query("alter table restwell.vendor_call disable trigger a_full_disk")
    await store.pool.query("alter table restwell.connection disable trigger a_full_disk")
    await store.pool.query("update restwell.connection set next_sync_at = now(), refresh_at = null")
    await store.pool.query("alter table restwell.connection enable trigger a_full_disk")
    const callsBefore = vendor.requestLog.count({ personId: person.userId })
    const load = startLoad(
      [
        {
          name: "read",
          send: () => fetch(`${service.url}/api/v1/health`, { headers: { authorization: `Bearer ${key}` } }),
        },
      ],
      20,
    )
    await wait(8_000)
    const outcomes = await load.stop()
    expect(countOf(outcomes, 503)).toBe(outcomes.length)
    const calls = vendor.requestLog.count({ personId: person.userId }) - callsBefore
    process.stdout.write(
      `disk full for 8 s: ${outcomes.length} reads, ${calls} calls of the vendor, ${linesBesideRequests(service.log).length} log lines\n`,
    )
    expect(linesBesideRequests(service.log).length).toBeLessThan(100)
    await freeSpace()
    const freedAt = performance.now()
    await vi.waitFor(async () => expect((await newestNight(member)) > before).toBe(true), { timeout: 60_000 })
    process.stdout.write(`a new night ${Math.round(performance.now() - freedAt)} ms after space was freed\n`)
    expect(service.isRunning()).toBe(true)
  } finally {
    await service.stop()
    await store.drop()
  }
}, 90_000)

test("on a real full disk no request is answered with 500, and all works again once there is space", async (context) => {
  const disk = await mountSmallDisk(140)
  if (typeof disk === "string") return context.skip(`no disk can be mounted here: ${disk}`)
  const postgres = await startPostgres({ settings: NOT_DURABLE, within: disk.directory })
  const service = await startOn(postgres)
  try {
    const { key } = await Member.connected(service, vendor.people.add({ email: "full@vendor.example" }))
    await disk.fill()
    const late = new Member(service)
    const signsUp = vi.waitFor(() => late.signUp(), { timeout: 60_000, interval: 500 })
    const load = startLoad(
      Array(4).fill({
        name: "read",
        send: () => fetch(`${service.url}/api/v1/health`, { headers: { authorization: `Bearer ${key}` } }),
      }),
      20,
    )
    await wait(5_000)
    const readiness = async () => (await fetch(`${service.url}/readyz`)).status
    expect(await readiness()).toBe(503)
    await disk.free()
    await expect.poll(readiness, { timeout: 30_000 }).toBe(200)
    await signsUp
    await late.connect(vendor.people.add({ email: "late@vendor.example" }))
    await late.untilHistoryIsComplete()
    const outcomes = await load.stop()
    process.stdout.write(
      `a full disk: ${outcomes.length} reads, ${countOf(outcomes, 503)} of them 503, ${linesBesideRequests(service.log).length} log lines\n`,
    )
    expect(outcomes.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    expect((await readHealth(service.url, key)).status).toBe(200)
    expect(service.isRunning()).toBe(true)
  } finally {
    await service.stop()
    await postgres.remove()
    await disk.remove()
  }
}, 90_000)
