import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Simulator } from "@restwell/simulator"
import { makeFolder, postmasterPid, startPostgres } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import {
  linesBesideRequests,
  serviceEnvironment,
  startServiceProcess,
  UNLIMITED_QUOTA,
  vendorEnvironment,
} from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { letNightsPass, newestNight, startVendorBehind } from "./coming-nights.ts"
import { countOf, type Outcome, slowestMs, startLoad } from "./load.ts"
import { query } from "./query.ts"

/** Every response comes within this time, even a 503. */
const LONGEST_ANSWER_MS = 6_500
const DOWN_MS = 1_000

let simulator: Simulator
beforeAll(async () => {
  simulator = await startVendorBehind()
})
afterAll(() => simulator.close())

interface Reading {
  readonly member: Member
  readonly key: string
}

const connect = async (url: string): Promise<Reading> => Member.connected({ url }, simulator.people.addOne())

const readerOf = (url: string, { key }: Reading) => ({
  name: "read",
  send: () => fetch(`${url}/api/v1/health?type=sleep&days=7`, { headers: { authorization: `Bearer ${key}` } }),
})

const loadOn = (url: string, people: readonly Reading[]) => ({
  reads: startLoad(
    people.flatMap((person) => [readerOf(url, person), readerOf(url, person)]),
    15,
  ),
  others: startLoad(
    [
      ...people.map(({ member: { cookie } }) => ({
        name: "account",
        send: () => fetch(`${url}/api/account`, { headers: { cookie } }),
      })),
      { name: "readyz", send: () => fetch(`${url}/readyz`) },
      { name: "healthz", send: () => fetch(`${url}/healthz`) },
    ],
    60,
  ),
})

async function usedBy(people: readonly Reading[]): Promise<number> {
  const usedNow = async ({ member }: Reading): Promise<number> => {
    const answer = await member.send("GET", "/api/account")
    expect(answer.status).toBe(200)
    return (await answer.json()).usage.used
  }
  // The pool of accounts may still have broken connections, and answers 503 once for each.
  const used = await Promise.all(people.map((person) => vi.waitFor(() => usedNow(person), { timeout: 30_000 })))
  return used.reduce((sum, each) => sum + each, 0)
}

/** Expects that every failure is a 503 with Retry-After, within the time limit, and that /healthz never fails. */
function expectValidFailures(outcomes: readonly Outcome[]): void {
  const wrong = outcomes.filter(
    ({ name, status, retryAfter }) =>
      status !== 200 && (name === "healthz" || status !== 503 || (name !== "readyz" && Number(retryAfter) < 1)),
  )
  expect(wrong).toEqual([])
  expect(slowestMs(outcomes)).toBeLessThan(LONGEST_ANSWER_MS)
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** Waits until a read succeeds again. Returns how long it took, milliseconds. */
async function untilRead(url: string, person: Reading): Promise<number> {
  const startedAt = performance.now()
  await vi.waitFor(async () => expect((await readerOf(url, person).send()).status).toBe(200), {
    timeout: 30_000,
    interval: 20,
  })
  return Math.round(performance.now() - startedAt)
}

test("the service recovers when an external PostgreSQL stops, crashes and starts under load", async () => {
  const postgres = await startPostgres({ settings: { fsync: "off" } })
  const service = await startServiceProcess({
    environment: { ...serviceEnvironment(postgres, simulator), ...UNLIMITED_QUOTA },
  })
  try {
    const { url } = service
    const people = [await connect(url), await connect(url)]
    const [first] = people
    if (!first) throw new Error("nobody reads")
    const { reads, others } = loadOn(url, people)
    let inFlight = 0
    const backAfter: number[] = []
    for (const mode of ["fast", "immediate", "immediate"] as const) {
      await wait(300)
      inFlight += people.length * 2
      await postgres.stop(mode)
      await wait(DOWN_MS)
      expect([await statusOf(`${url}/readyz`), await statusOf(`${url}/healthz`)]).toEqual([503, 200])
      await postgres.start()
      backAfter.push(await untilRead(url, first))
      expect(await statusOf(`${url}/readyz`)).toBe(200)
    }
    const outcomes = [...(await reads.stop()), ...(await others.stop())]
    expectValidFailures(outcomes)
    const answered = countOf(outcomes, 200, "read") + backAfter.length
    const used = await usedBy(people)
    process.stdout.write(
      `PostgreSQL restarts: ${outcomes.length} requests, ${countOf(outcomes, 503)} of them 503, slowest ${slowestMs(outcomes)} ms, ` +
        `back after ${backAfter.join(", ")} ms; ${answered} reads answered, ${used} counted\n`,
    )
    // A read whose response a crash prevented may have been counted: at most those in flight.
    expect(used).toBeGreaterThanOrEqual(answered)
    expect(used).toBeLessThanOrEqual(answered + inFlight)

    const before = await newestNight(first.member)
    letNightsPass(simulator)
    // Another crash, while both syncs are running.
    const slow = simulator.faults.add({ kind: "latency", ms: 1_500, match: { path: "/developer" } })
    await query(postgres.url, "update restwell.connection set next_sync_at = now(), refresh_at = null")
    const active = () => query(postgres.url, "select from restwell.job where claim is not null")
    await vi.waitFor(async () => expect((await active()).length).toBe(people.length), { timeout: 30_000 })
    await postgres.stop("immediate")
    await postgres.start()
    slow()
    const advancedAt = performance.now()
    await vi.waitFor(async () => expect((await newestNight(first.member)) > before).toBe(true), { timeout: 60_000 })
    process.stdout.write(`a new night after ${Math.round(performance.now() - advancedAt)} ms\n`)
    // An unhandled rejection would have ended the process.
    expect(service.isRunning()).toBe(true)
    const lines = linesBesideRequests(service.log)
    process.stdout.write(`log: ${lines.length} lines beside the requests\n`)
    expect(lines.length).toBeLessThan(200)
    await postgres.stop("fast")
    const stoppedAt = performance.now()
    expect(await service.stop()).toBe(0)
    process.stdout.write(`stopped without a database in ${Math.round(performance.now() - stoppedAt)} ms\n`)
  } finally {
    await service.stop("SIGKILL")
    await postgres.remove()
  }
}, 120_000)

test("a killed embedded PostgreSQL is restarted under load, and nothing acknowledged is lost, not even after a new start", async () => {
  const dataDir = await makeFolder("killed")
  const start = () =>
    startServiceProcess({ environment: { DATA_DIR: dataDir, ...vendorEnvironment(simulator), ...UNLIMITED_QUOTA } })
  let service = await start()
  try {
    const { url } = service
    const person = await connect(url)
    const { reads, others } = loadOn(url, [person])
    const cluster = join(dataDir, "postgres", "cluster")
    const backAfter: number[] = []
    for (let round = 0; round < 2; round += 1) {
      await wait(300)
      process.kill(await postmasterPid(cluster), "SIGKILL")
      await expect.poll(() => statusOf(`${url}/readyz`), { interval: 5 }).toBe(503)
      backAfter.push(await untilRead(url, person))
    }
    const outcomes = [...(await reads.stop()), ...(await others.stop())]
    expectValidFailures(outcomes)
    const answered = countOf(outcomes, 200, "read") + backAfter.length
    const used = await usedBy([person])
    process.stdout.write(
      `postmaster killed: ${outcomes.length} requests, ${countOf(outcomes, 503)} of them 503, slowest ${slowestMs(outcomes)} ms, ` +
        `back after ${backAfter.join(", ")} ms; ${answered} reads answered, ${used} counted\n`,
    )
    expect(used).toBeGreaterThanOrEqual(answered)
    expect(used).toBeLessThanOrEqual(answered + 4)
    const back = service.log.filter((line) => line.includes("the embedded PostgreSQL runs again"))
    expect(back.length).toBe(2)

    // If it cannot be restarted, the process says why and exits, so that its supervisor can start it again.
    const away = join(dataDir, "global")
    await rename(join(cluster, "global"), away)
    process.kill(await postmasterPid(cluster), "SIGKILL")
    const killedAt = performance.now()
    expect(await service.ended).toBe(1)
    process.stdout.write(`ended ${Math.round(performance.now() - killedAt)} ms after it could not be brought back\n`)
    expect(service.errors()).toMatch(/^restwell: PostgreSQL did not start in /m)
    await rename(away, join(cluster, "global"))
    service = await start()
    expect(await usedBy([{ ...person, member: person.member.at(service) }])).toBe(used)
    expect(await service.stop()).toBe(0)
  } finally {
    await service.stop("SIGKILL")
    await rm(dataDir, { recursive: true })
  }
}, 120_000)

test("a start without its database fails with one line", async () => {
  using unused = reservePort()
  const url = `postgres://restwell@127.0.0.1:${unused.port}/restwell`
  const start = startServiceProcess({ environment: serviceEnvironment({ url }, simulator) })
  await expect(start).rejects.toThrow(
    /ended with 1: restwell: cannot use the database of DATABASE_URL \(127\.0\.0\.1:\d+\/restwell\): nothing listens there: .*\n$/,
  )
})
