import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { type Simulator, startSimulator } from "@restwell/simulator"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { freePort } from "../../packages/server/src/demo/free-port.ts"
import { Member, readHealth } from "../support/member.ts"

const PROGRAM = new URL("../../packages/server/bin/restwell.js", import.meta.url).pathname

let simulator: Simulator
let dataDir: string
let url: string
let running: ChildProcess | undefined
const log: string[] = []

beforeAll(async () => {
  simulator = await startSimulator({ days: 40, defaultPeople: false, wearsAlways: true, autoApprove: true })
  simulator.people.add({ email: "ada@vendor.example" })
  dataDir = await mkdtemp(join(tmpdir(), "restwell-start-"))
  // For root: PostgreSQL's own user walks through it.
  await chmod(dataDir, 0o755)
})
afterAll(async () => {
  if (running) await stop("SIGTERM")
  await simulator.close()
  await rm(dataDir, { recursive: true })
})

function launch(environment: Record<string, string>): ChildProcess {
  const { PATH = "" } = process.env
  return spawn(process.execPath, [PROGRAM, "start"], {
    env: { PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
}

/** Starts the service as an operator would, with the vendor's settings and no more than where to put things. */
async function start(): Promise<void> {
  const port = await freePort(0)
  url = `http://localhost:${port}`
  running = launch({
    PORT: String(port),
    DATA_DIR: dataDir,
    WHOOP_CLIENT_ID: "simulator-client",
    WHOOP_CLIENT_SECRET: "simulator-secret",
    WHOOP_BASE_URL: simulator.url,
  })
  if (!running.stdout) throw new Error("no output")
  const lines = createInterface(running.stdout)
  await new Promise<void>((resolve, reject) => {
    running?.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${log.join("\n")}`)))
    lines.on("line", (line) => {
      log.push(line)
      if (line.includes("Restwell is running")) resolve()
    })
  })
}

async function stop(signal: NodeJS.Signals): Promise<[number | null, string | null]> {
  const service = running
  running = undefined
  if (!service) throw new Error("nothing runs")
  service.removeAllListeners("exit")
  const exit = once(service, "exit")
  service.kill(signal)
  const [code, by] = await exit
  return [code, by]
}

let key: string
let password: string
let email: string

test("with the vendor's settings alone it goes from sign-up to data by HTTP", async () => {
  await start()
  const [person] = simulator.people.list()
  if (!person) throw new Error("nobody to connect")
  const connected = await Member.connected({ url }, person)
  key = connected.key
  ;({ password, email } = connected.member)
  const answer = await readHealth(url, key, "?type=recovery&days=30")
  expect(answer.status).toBe(200)
  expect((await answer.json()).count).toBeGreaterThan(20)
})

test("SIGTERM lets every request finish, and ends with 0", async () => {
  const answers = Array.from({ length: 50 }, () => readHealth(url, key, "?type=sleep&days=90"))
  await Promise.race(answers)
  expect(await stop("SIGTERM")).toEqual([0, null])
  const statuses = await Promise.all(answers.map(async (answer) => (await answer).status))
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test("after kill -9 everything is there, and the vendor may be away", async () => {
  await start()
  const before = await (await readHealth(url, key, "?type=sleep&days=30")).json()
  expect(await stop("SIGKILL")).toEqual([null, "SIGKILL"])
  await start()
  simulator.faults.add({ kind: "reset_connection" })
  const after = await (await readHealth(url, key, "?type=sleep&days=30")).json()
  expect(after.records).toEqual(before.records)
  simulator.faults.clear()
})

test("a first fetch that kill -9 cut off goes on by itself where it was", async () => {
  const person = simulator.people.add({ email: "bob@vendor.example", days: 100 })
  const member = new Member({ url })
  await member.signUp()
  const slow = simulator.faults.add({ match: { path: "/developer/v2" }, kind: "latency", ms: 150 })
  await member.connect(person)
  const fetched = () => simulator.requestLog.count({ personId: person.userId, path: "/developer/v2/cycle" })
  await vi.waitFor(() => expect(fetched()).toBeGreaterThan(2), { timeout: 20_000, interval: 20 })
  await stop("SIGKILL")
  slow()
  await start()
  const again = member.at({ url })
  await again.untilHistoryIsComplete()
  const { connections } = await (await again.send("GET", "/api/account")).json()
  const truth = simulator.records(person)
  const all = truth.sleeps.length + truth.cycles.length + truth.recoveries.length + truth.workouts.length
  expect(connections[0].history.records).toBe(all)
}, 120_000)

test("a second start on the same folder says so and ends, and the first goes on", async () => {
  const second = launch({ PORT: String(await freePort(0)), DATA_DIR: dataDir })
  let said = ""
  second.stderr?.on("data", (text) => {
    said += text
  })
  const [code] = await once(second, "exit")
  expect([code, said]).toEqual([
    1,
    expect.stringMatching(/^restwell: Restwell is already running on this DATA_DIR \(process \d+\)/),
  ])
  expect((await readHealth(url, key)).status).toBe(200)
})

test("mistakes in the settings are told in words, all at once", async () => {
  const wrong = launch({ PORT: "eighty", WHOOP_CLIENT_ID: "id", WHOOP_CLIENTSECRET: "x" })
  let said = ""
  wrong.stderr?.on("data", (text) => {
    said += text
  })
  expect((await once(wrong, "exit"))[0]).toBe(1)
  expect(said).toContain("PORT must be a whole number from 0 to 65535")
  expect(said).toContain("WHOOP_CLIENT_SECRET is required with WHOOP_CLIENT_ID")
  expect(said).toContain("WHOOP_CLIENTSECRET is not a setting, did you mean WHOOP_CLIENT_SECRET")
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
  // What is stored in the clear is found: the search works.
  expect(foundEmail).toBe(true)
})
