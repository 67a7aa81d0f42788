/** The small population of the backups that are kept for each released version: made up, the same at every run. */
import { hash } from "node:crypto"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import type { Clock } from "@restwell/core"
import { apiKeyOf } from "@restwell/core"
import type { TestDatabase } from "@restwell/testing/database"
import { startInProcess, TEST_SECRET, vendorEnvironment } from "@restwell/testing/service"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld } from "@restwell/testing/world"
import { Client } from "pg"
import { answersOf } from "../answers.ts"
import { fillEveryTable } from "../fill-every-table.ts"

/** The moment at which the backups are made and read. */
export const NOW = new Date("2026-11-20T12:00:00Z")
export const SECRETS = [TEST_SECRET] as const

const DAYS = 12
/** Each person's sources, in the order in which they were connected. */
const PEOPLE = { ada: ["whoop"], ben: ["oura"], cleo: ["whoop", "oura"] } as const

const keyOf = (name: string) => apiKeyOf(hash("sha256", `key of ${name}`).slice(0, 32))

/** Puts people with records of both vendors into an empty database, and at least one row into every table. */
export async function addPeople(store: TestDatabase): Promise<void> {
  const simulator = await startVendor({ seed: "released", now: NOW, days: DAYS })
  const oura = await startOuraBeside(simulator)
  const world = await createWorld({ simulator, beside: { oura }, pool: store.pool })
  try {
    for (const [name, providers] of Object.entries(PEOPLE)) {
      const email = `${name}@example.com`
      const person = simulator.people.add({ email })
      const userId = await world.addUser({ id: `${name}-of-the-backup`, email })
      for (const provider of providers) await world.connect(userId, person, undefined, provider)
      const { keyHash, prefix } = keyOf(name)
      await store.pool.query(
        `insert into restwell.api_key (user_id, key_hash, prefix, created_at) values ($1, decode($2, 'hex'), $3, $4)`,
        [userId, keyHash, prefix, NOW],
      )
    }
  } finally {
    await world.close()
    await oura.close()
    await simulator.close()
  }
  const client = new Client(store.connection)
  await client.connect()
  await fillEveryTable(client).finally(() => client.end())
}

/** All answers of the API to all people, read at the moment of the backup. */
export async function readAnswers(store: TestDatabase): Promise<Record<string, unknown>> {
  const clock: Clock = { now: () => NOW }
  // Nobody listens there: the role api asks no vendor.
  const vendor = { url: "http://localhost:9" }
  const service = await startInProcess({
    environment: {
      DATABASE_URL: store.url,
      RESTWELL_SECRET: TEST_SECRET,
      ...vendorEnvironment(vendor),
      ...vendorEnvironment(vendor, "oura"),
    },
    role: "api",
    clock,
    log: [],
  })
  try {
    const answers: Record<string, unknown> = {}
    for (const name of Object.keys(PEOPLE)) answers[name] = await answersOf(service, keyOf(name).text)
    return answers
  } finally {
    await service.close()
  }
}

/** The files that are kept for a version. */
export const filesOf = (version: string) => {
  const path = (name: string) => new URL(`files/${version}.${name}`, import.meta.url).pathname
  return { backup: path("backup"), answers: path("answers.json.gz") }
}

export const compressJson = (value: unknown): Promise<Buffer> => promisify(gzip)(JSON.stringify(value), { level: 9 })
export const readJson = async (bytes: Buffer): Promise<unknown> =>
  JSON.parse((await promisify(gunzip)(bytes)).toString("utf8"))
