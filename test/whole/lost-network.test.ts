import { setTimeout as wait } from "node:timers/promises"
import { createTestDatabase } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import {
  linesBesideRequests,
  type ServiceProcess,
  serviceEnvironment,
  startServiceProcess,
  startTestService,
  UNLIMITED_QUOTA,
} from "@restwell/testing/service"
import { expect, test, vi } from "vitest"
import { letNightsPass, newestNight, startVendorBehind } from "./coming-nights.ts"
import { countOf, type Outcome, outcomeOf, percentileMs, slowestMs, startLoad } from "./load.ts"
import { startNetwork } from "./network.ts"

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Every response comes within this time, even a 503. */
const LONGEST_ANSWER_MS = 6_500
/** Longer than the service waits for the database. */
const DROPPED_MS = 7_500

test("while the database refuses, resets or drops connections, reads end in time, and work again afterwards", async () => {
  const vendor = await startVendorBehind()
  const store = await createTestDatabase()
  const { host = "", port = 5432, user, database } = store.connection
  const network = await startNetwork({ path: `${host}/.s.PGSQL.${port}` })
  const service = await startServiceProcess({
    environment: {
      ...serviceEnvironment({ url: `postgres://${user}@127.0.0.1:${network.port}/${database}` }, vendor),
      ...UNLIMITED_QUOTA,
    },
  })
  const { url } = service
  try {
    const { member, key } = await Member.connected({ url }, vendor.people.add({ email: "ada@vendor.example" }))
    const read = {
      name: "read",
      send: () => fetch(`${url}/api/v1/health?type=sleep&days=7`, { headers: { authorization: `Bearer ${key}` } }),
    }
    const account = {
      name: "account",
      send: () => fetch(`${url}/api/account`, { headers: { cookie: member.cookie } }),
    }
    const readiness = { name: "readyz", send: () => fetch(`${url}/readyz`) }
    const load = startLoad(
      [...Array(8).fill(read), account, readiness, { name: "healthz", send: () => fetch(`${url}/healthz`) }],
      60,
    )
    const extra: Outcome[] = []
    const report: string[] = []
    for (const state of ["refuse", "reset", "drop"] as const) {
      await wait(300)
      await network.set(state)
      await wait(state === "drop" ? DROPPED_MS : 1_000)
      expect((await readiness.send()).status).toBe(503)
      await network.set("open")
      const openAt = performance.now()
      await vi.waitFor(
        async () => {
          const outcome = await outcomeOf(read)
          extra.push(outcome)
          expect(outcome.status).toBe(200)
        },
        { timeout: 30_000, interval: 20 },
      )
      report.push(`${state} ${Math.round(performance.now() - openAt)} ms`)
    }
    const outcomes = [...(await load.stop()), ...extra]
    const wrong = outcomes.filter(
      ({ name, status, retryAfter }) =>
        status !== 200 && (name === "healthz" || status !== 503 || (name !== "readyz" && Number(retryAfter) < 1)),
    )
    expect(wrong).toEqual([])
    expect(slowestMs(outcomes)).toBeLessThan(LONGEST_ANSWER_MS)
    const { usage } = await (await account.send()).json()
    process.stdout.write(
      `database away: ${outcomes.length} requests, ${countOf(outcomes, 503)} of them 503, slowest ${slowestMs(outcomes)} ms, back after ` +
        `${report.join(", ")}; ${countOf(outcomes, 200, "read")} reads answered, ${usage.used} counted\n`,
    )
    // A dropped response may have been counted: at most one for each reader and outage.
    expect(usage.used).toBeGreaterThanOrEqual(countOf(outcomes, 200, "read"))
    expect(usage.used).toBeLessThanOrEqual(countOf(outcomes, 200, "read") + 3 * 8)

    const before = await newestNight(member)
    letNightsPass(vendor)
    await store.pool.query("update restwell.connection set next_sync_at = now(), refresh_at = null")
    const advancedAt = performance.now()
    await vi.waitFor(async () => expect((await newestNight(member)) > before).toBe(true), {
      timeout: 60_000,
      interval: 100,
    })
    process.stdout.write(`a new night after ${Math.round(performance.now() - advancedAt)} ms\n`)
    expect(service.isRunning()).toBe(true)
    process.stdout.write(`log: ${linesBesideRequests(service.log).length} lines beside the requests\n`)
    expect(linesBesideRequests(service.log).length).toBeLessThan(100)
  } finally {
    await service.stop("SIGKILL")
    await network.close()
    await store.drop()
    await vendor.close()
  }
}, 120_000)

test("a service that answers goes on when the database is lost before its first jobs are done", async () => {
  const vendor = await startVendorBehind()
  const store = await createTestDatabase()
  const { host = "", port = 5432, user, database } = store.connection
  const network = await startNetwork({ path: `${host}/.s.PGSQL.${port}` })
  const holder = await store.pool.connect()
  using reserved = reservePort()
  let service: ServiceProcess | undefined
  try {
    // The first job waits for this lock, while the service answers already.
    await holder.query("begin")
    await holder.query("lock table restwell.vendor_event_seen in access exclusive mode")
    const url = `postgres://${user}@127.0.0.1:${network.port}/${database}`
    service = await startServiceProcess({ environment: serviceEnvironment({ url }, vendor), port: reserved.port })
    const { log, isRunning } = service
    const untilLogged = (text: string) =>
      vi.waitFor(() => expect(log.join("\n")).toContain(text), { timeout: 30_000, interval: 20 })
    expect(log.join("\n")).not.toContain("Restwell is running")
    await network.set("reset")
    await untilLogged("could not delete old event ids")
    await untilLogged("job queue failed")
    await untilLogged("Restwell is running")
    await network.set("open")
    const address = service.url
    await vi.waitFor(async () => expect((await fetch(`${address}/readyz`)).status).toBe(200), { timeout: 30_000 })
    expect(isRunning()).toBe(true)
  } finally {
    await service?.stop("SIGKILL")
    holder.release(true)
    await network.close()
    await store.drop()
    await vendor.close()
  }
}, 120_000)

test("while the vendor does not respond reads stay fast, the status says so, and the next sync catches up", async () => {
  const service = await startTestService({
    role: "api",
    days: 20,
    environment: UNLIMITED_QUOTA,
  })
  const network = await startNetwork({ host: "127.0.0.1", port: Number(new URL(service.simulator.url).port) })
  try {
    await service.startReplica("worker", { WHOOP_BASE_URL: `http://127.0.0.1:${network.port}` })
    const person = service.simulator.people.add({ email: "ada@vendor.example" })
    const { key } = await Member.connected(service, person)
    const read = {
      name: "read",
      send: () =>
        fetch(`${service.url}/api/v1/health?type=sleep&days=7`, { headers: { authorization: `Bearer ${key}` } }),
    }
    const readStatus = async (): Promise<{ status: string; nights: number }> => {
      const { source, records } = await (await read.send()).json()
      return { status: source.status, nights: records.length }
    }
    const until = (status: string) =>
      vi.waitFor(async () => expect((await readStatus()).status).toBe(status), { timeout: 25_000, interval: 100 })
    await network.set("drop")
    service.simulator.clock.advance(DAY_MS)
    const load = startLoad(Array(8).fill(read), 40)
    await wait(6_000)
    const outcomes = await load.stop()
    process.stdout.write(
      `vendor silent: ${outcomes.length} reads, p99 ${percentileMs(outcomes, 99)} ms, slowest ${slowestMs(outcomes)} ms\n`,
    )
    expect(countOf(outcomes, 200)).toBe(outcomes.length)
    expect(percentileMs(outcomes, 99)).toBeLessThan(500)
    await network.set("reset")
    await until("vendor_unavailable")
    await network.set("open")
    service.simulator.clock.advance(HOUR_MS)
    await until("ok")
  } finally {
    await service.close()
    await network.close()
  }
})
