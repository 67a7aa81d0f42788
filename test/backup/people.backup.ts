/** The whole way at scale: a backup of many people under load, restored into both kinds of PostgreSQL. */
import { hash } from "node:crypto"
import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import type { OuraSimulator, Simulator } from "@restwell/simulator"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { type ReservedPort, reservePort } from "@restwell/testing/port"
import { type Replica, startInProcess, UNLIMITED_QUOTA, vendorEnvironment } from "@restwell/testing/service"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fillPopulation } from "../../bench/population/fill-population.ts"
import { apiKeyOfMember } from "../../bench/population/member.ts"
import { refreshAll } from "../whole/refresh-all.ts"
import { addMover, expectMoved, type Mover } from "./movers.ts"
import { embeddedPlace, externalPlace } from "./places.ts"
import { timeCommand } from "./survive-kills.ts"

const PEOPLE = Number(process.env["BACKUP_PEOPLE"] ?? 1000)
const DAYS = 90
const MOVERS = 4
const READERS = 8
const TYPES = ["sleep", "recovery", "workout", "cycle", "profile", "summary"]

let simulator: Simulator
let oura: OuraSimulator
let folder: string
let port: ReservedPort
let source: TestDatabase
let target: TestDatabase
let service: Replica | undefined
beforeAll(async () => {
  simulator = await startVendor({ days: DAYS })
  oura = await startOuraBeside(simulator)
  folder = await makeFolder("people")
  port = reservePort()
  source = await createTestDatabase()
  target = await createTestDatabase()
  const cohorts = [{ first: 0, people: PEOPLE, days: DAYS }]
  await fillPopulation({ connection: source.connection, cohorts, templates: 8 })
  // They have no tokens, so nothing may ask their vendor.
  await source.pool.query(
    `update restwell.connection set next_sync_at = now() + interval '1 year', last_synced_at = now() + interval '1 hour', listed_at = now()`,
  )
})
afterAll(async () => {
  await service?.close()
  port[Symbol.dispose]()
  await source.drop()
  await target.drop()
  await oura.close()
  await simulator.close()
  await rm(folder, { recursive: true })
})

async function start(environment: Readonly<Record<string, string>>): Promise<Replica> {
  service = await startInProcess({
    environment: {
      ...vendorEnvironment(simulator),
      ...vendorEnvironment(oura, "oura"),
      PORT: String(port.port),
      ...UNLIMITED_QUOTA,
      ...environment,
    },
    clock: simulator.clock,
    log: [],
  })
  return service
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`)

async function read(at: Replica, key: string, type: string): Promise<string> {
  const response = await fetch(`${at.url}/api/v1/health?type=${type}&days=${type === "profile" ? 1 : DAYS}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  return text.replaceAll(/"last_synced_at":(?:null|"[^"]*")/g, "")
}

/** A digest of every answer of every person. */
async function readAll(at: Replica): Promise<Map<string, string>> {
  const digests = new Map<string, string>()
  const waiting = Array.from({ length: PEOPLE }, (_, number) => number)
  const readSome = async () => {
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop())
      for (const type of TYPES)
        digests.set(`${number} ${type}`, hash("sha256", await read(at, apiKeyOfMember(number), type)))
  }
  await Promise.all(Array.from({ length: READERS }, readSome))
  return digests
}

/** Reads of random people until `stop`. @returns milliseconds of each */
function startLoad(at: Replica): { stop(): Promise<number[]> } {
  const times: number[] = []
  let isOver = false
  const readOn = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const number = Math.floor(Math.random() * PEOPLE)
      await read(at, apiKeyOfMember(number), TYPES[times.length % TYPES.length] ?? "sleep")
      times.push(performance.now() - startedAt)
    }
  }
  const readers = Promise.all(Array.from({ length: READERS }, readOn))
  return {
    async stop() {
      isOver = true
      await readers
      return times.toSorted((left, right) => left - right)
    },
  }
}

const describeLoad = (times: readonly number[], milliseconds: number): string => {
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  return `${Math.round((times.length / milliseconds) * 1000)} reads/s, median ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

async function describeSpeed(what: string, milliseconds: number, file: string): Promise<string> {
  const { rows } = await source.pool.query<{ bytes: string }>(
    `select sum(pg_table_size(oid)) as bytes from pg_class where relnamespace = 'restwell'::regnamespace and relkind = 'r'`,
  )
  const seconds = milliseconds / 1000
  const megabytes = Number(rows[0]?.bytes) / 1e6
  const { size } = await stat(file)
  return `${what}: ${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(1)} MB/s of ${megabytes.toFixed(0)} MB in tables, ${(PEOPLE / seconds).toFixed(0)} people/s, file ${(size / 1e6).toFixed(1)} MB`
}

test(`a backup of ${PEOPLE} people and ${DAYS} days under load answers the same in both kinds of PostgreSQL`, async () => {
  const file = join(folder, "people.backup")
  const from = externalPlace(source)
  const first = await start(from.environment)
  const movers: Mover[] = []
  for (let number = 0; number < MOVERS; number += 1) movers.push(await addMover(first, simulator, `mover-${number}`))
  const answers = await readAll(first)
  expect(answers.size).toBe(PEOPLE * TYPES.length)
  const quiet = startLoad(first)
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  print(`load without a backup: ${describeLoad(await quiet.stop(), 5_000)}`)
  const load = startLoad(first)
  const backupMs = await timeCommand(["backup", file], from)
  print(`load during the backup: ${describeLoad(await load.stop(), backupMs)}`)
  print(await describeSpeed("backup under load", backupMs, file))
  await first.close()

  const places = { external: externalPlace(target), embedded: embeddedPlace(join(folder, "embedded")) }
  for (const [name, place] of Object.entries(places)) {
    print(await describeSpeed(`restore, ${name}`, await timeCommand(["restore", file], place), file))
    const restored = await start(place.environment)
    expect(await readAll(restored)).toEqual(answers)
    for (const mover of movers) await expectMoved(restored, mover)
    // A refresh uses the vendor's tokens up, so only the last place does it.
    if (name === "embedded")
      await refreshAll(
        simulator,
        movers.map(({ member }) => member),
      )
    await restored.close()
    print(
      `${name}: ${answers.size} answers of ${PEOPLE} people are equal; ${MOVERS} sessions, assistants and keys work`,
    )
  }
  service = undefined
})
