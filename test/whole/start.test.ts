import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { Simulator } from "@restwell/simulator"
import { makeFolder } from "@restwell/testing/database"
import { Member, readHealth } from "@restwell/testing/member"
import { runCommand, type ServiceProcess, startServiceProcess } from "@restwell/testing/service"
import { startVendor, VENDOR_APP } from "@restwell/testing/vendor"
import { afterAll, beforeAll, expect, test, vi } from "vitest"

let simulator: Simulator
let dataDir: string
let service: ServiceProcess
/** The log of all starts. */
const log: string[] = []

beforeAll(async () => {
  simulator = await startVendor({ days: 40, wearsAlways: true, rateLimits: { perMinute: 100, perDay: 10_000 } })
  simulator.people.add({ email: "ada@vendor.example" })
  dataDir = await makeFolder("start")
})
afterAll(async () => {
  await stop("SIGTERM")
  await simulator.close()
  await rm(dataDir, { recursive: true })
})

/** Starts the service as an operator would, with nothing but the vendor's settings and a folder. */
async function start(): Promise<void> {
  service = await startServiceProcess({
    environment: {
      DATA_DIR: dataDir,
      WHOOP_CLIENT_ID: VENDOR_APP.clientId,
      WHOOP_CLIENT_SECRET: VENDOR_APP.clientSecret,
      WHOOP_BASE_URL: simulator.url,
    },
  })
}

async function stop(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  const end = await service.stop(signal)
  log.push(...service.log.splice(0))
  return end
}

let key: string
let password: string
let email: string

test("with the vendor's settings alone a person signs up, connects and reads records over HTTP", async () => {
  await start()
  const [person] = simulator.people.list()
  if (!person) throw new Error("nobody to connect")
  const connected = await Member.connected(service, person)
  key = connected.key
  ;({ password, email } = connected.member)
  const answer = await readHealth(service.url, key, "?type=recovery&days=30")
  expect(answer.status).toBe(200)
  expect((await answer.json()).count).toBeGreaterThan(20)
})

test("SIGTERM finishes every request and exits with 0", async () => {
  const answers = Array.from({ length: 50 }, () => readHealth(service.url, key, "?type=sleep&days=90"))
  await Promise.race(answers)
  expect(await stop("SIGTERM")).toBe(0)
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test("after kill -9 all records are there, even if the vendor is unreachable", async () => {
  await start()
  const before = await (await readHealth(service.url, key, "?type=sleep&days=30")).json()
  expect(await stop("SIGKILL")).toBe("SIGKILL")
  await start()
  simulator.faults.add({ kind: "reset_connection" })
  const after = await (await readHealth(service.url, key, "?type=sleep&days=30")).json()
  expect(after.records).toEqual(before.records)
  simulator.faults.clear()
})

test("a first sync that kill -9 interrupted resumes by itself", async () => {
  const person = simulator.people.add({ email: "bob@vendor.example", days: 100 })
  const member = new Member(service)
  await member.signUp()
  const slow = simulator.faults.add({ match: { path: "/developer/v2" }, kind: "latency", ms: 150 })
  await member.connect(person)
  const fetched = () => simulator.requestLog.count({ personId: person.userId, path: "/developer/v2/cycle" })
  await vi.waitFor(() => expect(fetched()).toBeGreaterThan(2), { timeout: 30_000, interval: 20 })
  await stop("SIGKILL")
  slow()
  await start()
  const again = member.at(service)
  await again.untilHistoryIsComplete()
  const { connections } = await (await again.send("GET", "/api/account")).json()
  const truth = simulator.records(person)
  const all = truth.sleeps.length + truth.cycles.length + truth.recoveries.length + truth.workouts.length
  expect(connections[0].history.records).toBe(all)
}, 120_000)

test("a second start on the same folder fails with a message, and the first service keeps running", async () => {
  const { code, errors } = await runCommand(["start"], { PORT: "0", DATA_DIR: dataDir })
  expect([code, errors]).toEqual([
    1,
    expect.stringMatching(/^restwell: Restwell is already running on this DATA_DIR \(process \d+\)/),
  ])
  expect((await readHealth(service.url, key)).status).toBe(200)
})

test("all mistakes in the settings are listed in words", async () => {
  const { code, errors } = await runCommand(["start"], {
    PORT: "eighty",
    WHOOP_CLIENT_ID: "id",
    WHOOP_CLIENTSECRET: "x",
    OURA_CLIENT_ID: "id",
  })
  expect(code).toBe(1)
  expect(errors).toContain("PORT must be a whole number from 0 to 65535")
  expect(errors).toContain("OURA_CLIENT_SECRET is required with OURA_CLIENT_ID")
  // The misspelled one is not missing too.
  expect(errors).not.toContain("WHOOP_CLIENT_SECRET is required")
  expect(errors).toContain("WHOOP_CLIENTSECRET is not a setting, did you mean WHOOP_CLIENT_SECRET")
})

test("no key, token, password or secret is in the log or in the clear on disk", async () => {
  await stop("SIGTERM")
  const secret = (await readFile(join(dataDir, "secret"), "utf8")).trim()
  const sent = simulator.tokens.counts()
  expect(sent.accessTokens).toBeGreaterThan(0)
  const secrets = [key, password, secret, "simulator-secret", "sim-access-", "sim-refresh-"]
  const text = log.join("\n")
  for (const canary of secrets) expect(text).not.toContain(canary)
  expect(text).not.toMatch(/[?&](?:code|state)=/)
  expect((await stat(join(dataDir, "secret"))).mode & 0o077).toBe(0)
  const database = join(dataDir, "postgres", "cluster", "base")
  let foundEmail = false
  for (const file of await readdir(database, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const bytes = await readFile(join(file.parentPath, file.name))
    for (const canary of secrets) expect(bytes.includes(canary), file.name).toBe(false)
    foundEmail ||= bytes.includes(email)
  }
  // Finding the stored email proves that the search works.
  expect(foundEmail).toBe(true)
})
