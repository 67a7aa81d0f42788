/** People of the simulated vendor, brought into a store by the service's own verbs: what is copied from them is what a service keeps. */
import {
  beginConnection,
  type Context,
  completeConnection,
  createHealthReader,
  createTokenCipher,
  openDatabase,
  parseApiKey,
  rotateApiKey,
  syncConnection,
} from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { type Simulator, startSimulator } from "@restwell/simulator"
import type { Pool } from "pg"

export const PROVIDER = "whoop"
const REDIRECT_URI = "http://localhost:3000/api/connections/whoop/callback"

export interface SyncedPerson {
  readonly userId: string
  readonly email: string
  /** The vendor's number of this person. */
  readonly vendorUserId: number
  readonly keyHash: string
  readonly keyPrefix: string
}

export interface TemplateSync {
  /** Signs somebody up, connects them, brings all their history in step, and reads once with their key. */
  addPerson(number: number, days: number): Promise<SyncedPerson>
  close(): Promise<void>
}

export async function openTemplateSync(pool: Pool): Promise<TemplateSync> {
  const simulator = await startSimulator({
    seed: "population",
    defaultPeople: false,
    rateLimits: "off",
    autoApprove: true,
  })
  const context = contextOf(pool, simulator)
  const reader = createHealthReader(context, { pool, heldBytes: 0 })
  return {
    async addPerson(number, days) {
      const userId = idOfTemplate(number)
      const email = `${userId.toLowerCase()}@example.com`
      // What a fill that was broken off left behind.
      await pool.query(`delete from restwell."user" where id = $1`, [userId])
      const { userId: vendorUserId } = simulator.people.add({ email, days })
      await addUser(pool, userId, email)
      await connect(context, userId, email)
      await syncConnection(context, { userId, provider: PROVIDER }, { signal: new AbortController().signal })
      const { apiKey, prefix: keyPrefix } = await rotateApiKey(context, userId)
      const keyHash = parseApiKey(apiKey)?.keyHash
      if (!keyHash) throw new Error("a key of our own cannot be read")
      const query = { type: "summary", days: 7 } as const
      await reader.read({ credential: { keyHash }, query, ifNoneMatch: [], charge: true })
      return { userId, email, vendorUserId, keyHash, keyPrefix }
    },
    close: () => simulator.close(),
  }
}

/** As long as the ids that better-auth gives: the history of a template is the same at each run, and so is what is made of it. */
const idOfTemplate = (number: number): string => `Template${String(number).padStart(24, "0")}`

function contextOf(pool: Pool, simulator: Simulator): Context {
  const database = openDatabase(pool)
  const clock = { now: () => simulator.clock.now() }
  const gate = { acquire: async () => {}, report: async () => {} }
  const adapter = VENDORS.whoop.createAdapter({
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    baseUrl: simulator.url,
    gate,
  })
  const adapters = new Map([[PROVIDER, adapter]])
  const silent = () => {}
  return {
    database,
    clock,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    jobs: { requestSync: async () => {}, isAnyoneWaiting: async () => false },
    adapters,
    adaptersFor: () => adapters,
    cipher: createTokenCipher(["a secret of at least thirty-two characters"]),
    wait: async () => {},
    plans: { free: 1_000_000, pro: 1_000_000 },
    version: "1",
  }
}

async function addUser(pool: Pool, id: string, email: string): Promise<void> {
  await pool.query(
    `insert into restwell."user" (id, name, email, "emailVerified") values ($1, 'Ada Lovelace', $2, true)`,
    [id, email],
  )
}

async function connect(context: Context, userId: string, email: string): Promise<void> {
  const attempt = { userId, provider: PROVIDER, sessionId: "population", redirectUri: REDIRECT_URI }
  const page = await beginConnection(context, attempt)
  page.searchParams.set("login_hint", email)
  const answer = await fetch(page, { redirect: "manual" })
  const { searchParams } = new URL(answer.headers.get("location") ?? "")
  const [state = "", code = ""] = [searchParams.get("state") ?? "", searchParams.get("code") ?? ""]
  await completeConnection(context, { ...attempt, state, code })
}
