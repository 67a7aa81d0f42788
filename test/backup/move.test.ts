import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { OuraSimulator, Simulator } from "@restwell/simulator"
import { callTool } from "@restwell/testing/assistant"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { type ReservedPort, reservePort } from "@restwell/testing/port"
import { type Replica, runCommand, startInProcess, vendorEnvironment } from "@restwell/testing/service"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { afterEach, beforeEach, expect, test } from "vitest"
import { refreshAll } from "../whole/refresh-all.ts"
import { answersOf } from "./answers.ts"
import { addMover, expectMoved } from "./movers.ts"

const SECRET = "the secret of the place with a server of its own"

/** Where the person is, a day without anything new for the hours that the test lets pass: at other times a night may arrive meanwhile. */
const NOON = new Date("2026-06-10T01:00:00Z")

let simulator: Simulator
let oura: OuraSimulator
let folder: string
let port: ReservedPort
let store: TestDatabase
let service: Replica | undefined
let log: string[]
beforeEach(async () => {
  simulator = await startVendor({ days: 21, now: NOON, ticking: true })
  oura = await startOuraBeside(simulator)
  folder = await makeFolder("move")
  port = reservePort()
  store = await createTestDatabase()
  log = []
})
afterEach(async () => {
  await stop()
  port[Symbol.dispose]()
  await store.drop()
  await oura.close()
  await simulator.close()
  await rm(folder, { recursive: true })
})

type Environment = Readonly<Record<string, string>>
const embedded = (name: string): Environment => ({ DATA_DIR: join(folder, name) })
const external = (): Environment => ({ DATABASE_URL: store.url, RESTWELL_SECRET: SECRET })

/** All places have one address, as after a move. */
async function start(place: Environment): Promise<Replica> {
  const vendors = { ...vendorEnvironment(simulator), ...vendorEnvironment(oura, "oura") }
  const environment = { ...vendors, PORT: String(port.port), FREE_MONTHLY_REQUESTS: "100000", ...place }
  service = await startInProcess({ environment, clock: simulator.clock, log })
  return service
}

async function stop(): Promise<void> {
  await service?.close()
  service = undefined
}

/** Runs a command that must succeed. @returns what it printed */
async function run(commandLine: readonly string[], place: Environment): Promise<string> {
  const { code, output } = await runCommand(commandLine, place)
  expect(code, output).toBe(0)
  return output
}

test("moves people from the embedded PostgreSQL to another one and back: keys, sessions, assistants and vendor tokens keep working", async () => {
  const first = await start(embedded("first"))
  const ada = await addMover(first, simulator, "ada")
  const [toExternal, toEmbedded] = [join(folder, "1.backup"), join(folder, "2.backup")]
  expect(await run(["backup", toExternal], embedded("first"))).toMatch(
    /1\.backup: [\d.]+ kB, 1 person, \d+ rows, in [\d.]+ s\nIt contains the secret/,
  )
  expect((await stat(toExternal)).mode & 0o077).toBe(0)
  await stop()

  expect(await run(["restore", toExternal], external())).toContain("So that people stay signed in")
  const { rows } = await store.pool.query("select distinct key_id from restwell.vendor_grant")
  expect(rows).toHaveLength(1)
  const former = (await readFile(join(folder, "first", "secret"), "utf8")).trim()
  const second = await start({ ...external(), RESTWELL_FORMER_SECRETS: former })
  expect((await callTool(second, ada.assistant.access_token, "get_sleep", {})).isError).not.toBe(true)
  const moved = await expectMoved(second, ada)
  await refreshAll(simulator, [ada.member])
  const now = { ...moved, answers: await answersOf(second, ada.key) }

  await run(["backup", folder], external())
  const [made = ""] = (await readdir(folder)).filter((name) => name.startsWith("restwell-"))
  await run(["backup", toEmbedded], { ...external(), RESTWELL_FORMER_SECRETS: former })
  await stop()
  expect(JSON.parse(await run(["restore", join(folder, made), "--check", "--json"], {}))).toMatchObject({ people: 1 })
  expect(await run(["restore", toEmbedded], embedded("third"))).toContain("The secret of the backup is in")
  const third = await start(embedded("third"))
  await expectMoved(third, now)
  await refreshAll(simulator, [ada.member])
  expect(log.join("\n")).not.toMatch(/UnreadableSecret|authorization_revoked|sync failed/)
}, 120_000)
