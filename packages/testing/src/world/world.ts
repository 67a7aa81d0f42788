import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"
import {
  answerChallenge,
  beginConnection,
  type ConnectionId,
  type Context,
  completeConnection,
  connectWithKey,
  createHealthReader,
  createWebhookReceiver,
  type HealthReader,
  keepSubscribed,
  requestDueSyncs,
  retryRejected,
  ServiceError,
  syncConnection,
} from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import type { Person, Simulator } from "@restwell/simulator"
import type { Pool } from "pg"
import { createTestDatabase, databaseOf, type TestDatabase } from "../programs/database.ts"
import { approveAtVendor, startVendor, type VendorUnderTest } from "../vendor/vendor-under-test.ts"
import { type SimulatorsBeside, startVendorBeside } from "../vendor/vendors-beside.ts"
import { whoopUnderTest } from "../vendor/whoop-under-test.ts"
import { type ContextOptions, createContext } from "./create-context.ts"

/** Receives the vendor's webhooks for core, and appends the outcome of each to `outcomes`. */
async function startWebhookReceiver(
  context: Context,
  provider: string,
  outcomes: string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const receive = createWebhookReceiver(context)
  const server = createServer(async (request, response) => {
    try {
      const { searchParams } = new URL(request.url ?? "/", "http://localhost")
      if (request.method === "GET") {
        const answer = answerChallenge(context, provider, searchParams)
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer))
        return
      }
      const rawBody = await buffer(request)
      const outcome = await receive(provider, { headers: request.headers, rawBody })
      if (outcome !== "ping") outcomes.push(outcome)
      response.writeHead(outcome === "ping" ? 200 : 204).end()
    } catch (error) {
      outcomes.push(error instanceof ServiceError ? error.code : String(error))
      response.writeHead(400).end()
    }
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || !address) throw new Error("the webhook receiver has no port")
  return {
    url: `http://127.0.0.1:${address.port}/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

const MAX_ROUNDS = 20
const CACHE_BYTES = 1_000_000

/** Core with its own database and simulated vendors. All follow one clock, which moves only when a test moves it. */
export interface World {
  readonly context: Context
  readonly reader: HealthReader
  /** WHOOP. It has the people and the clock of all vendors. */
  readonly simulator: Simulator
  /** The vendor that accounts are connected to unless a call names another. */
  readonly vendor: VendorUnderTest
  readonly store: TestDatabase
  /** Syncs that were requested and have not run. */
  readonly requested: ConnectionId[]
  /** Adds an account without a connection. */
  addUser(user?: { readonly id: string; readonly email: string }): Promise<string>
  /** Connects an account to a person of the vendor, without a sync. @param shared the setting of this call. @default the world's */
  authorize(
    userId: string,
    person: Pick<Person, "email">,
    shared?: Context["sharedVendorAccounts"],
    provider?: VendorName,
  ): Promise<void>
  /** Connects an account to a person of the vendor, and syncs it. @param shared the setting of this call. @default the world's */
  connect(
    userId: string,
    person: Pick<Person, "email">,
    shared?: Context["sharedVendorAccounts"],
    provider?: VendorName,
  ): Promise<void>
  /** Syncs, the newest records included, even if they are not due. */
  sync(userId: string, provider?: VendorName): Promise<void>
  /** Syncs what is due now. */
  runJob(
    userId: string,
    options?: { readonly withHistory?: boolean; readonly provider?: VendorName | undefined },
  ): Promise<void>
  /** Runs the jobs that are due now until none is left. */
  runDue(): Promise<void>
  /** The outcome of each webhook so far. */
  readonly webhooks: string[]
  /** Where webhooks are received. */
  readonly webhookUrl: string
  close(): Promise<void>
}

export interface WorldOptions
  extends Pick<ContextOptions, "calls" | "gateFor" | "jobs" | "logger" | "timeoutMs" | "sharedVendorAccounts"> {
  /** The vendor that accounts are connected to. The others are simulated beside WHOOP. @default "whoop" */
  readonly vendor?: VendorName
  /** Simulators that stay open when the world closes. @default one of `vendor`, if that is not WHOOP */
  readonly beside?: Partial<SimulatorsBeside>
  /** A WHOOP that stays open when the world closes. @default one of its own */
  readonly simulator?: Simulator
  /** The database of a pool that stays open when the world closes. @default a database of its own */
  readonly pool?: Pool
  readonly now?: Date
  readonly seed?: string
  readonly days?: number
  /** Whether the vendor sends webhooks. @default false */
  readonly hasWebhooks?: boolean
  readonly quota?: Context["plans"]
  /** Size of the response cache. @default 1 MB */
  readonly cacheBytes?: number
}

const VENDOR_TIMEOUT_MS = 2_000

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const simulator = options.simulator ?? (await startOwnVendor(options))
  const beside = await startVendorBeside(simulator, options.vendor ?? "whoop", options.beside)
  const whoop = whoopUnderTest(simulator)
  const vendors = [whoop, ...beside.vendors]
  const vendor = vendors.find(({ provider }) => provider === options.vendor) ?? whoop
  const store = options.pool ? databaseOf(options.pool) : await createTestDatabase()
  const requested: ConnectionId[] = []
  const context = contextOf(options, { simulator, vendors, store, requested })
  const webhooks: string[] = []
  const receiver = await startWebhookReceiver(context, vendor.provider, webhooks)
  if (options.hasWebhooks) {
    vendor.subscribe?.(receiver.url)
    await keepSubscribed(context, vendor.provider, { callbackUrl: receiver.url, wait: async () => {} })
  }
  const jobs = jobsOf(context, vendor.provider, requested)
  const accounts = accountsOf(context, vendor, vendors, store)
  const sync = async (userId: string, provider?: VendorName) => {
    await store.pool.query("update restwell.connection set refresh_at = null where user_id = $1", [userId])
    await jobs.runJob(userId, { provider })
  }
  return {
    context,
    reader: createHealthReader(context, { pool: store.pool, cacheBytes: options.cacheBytes ?? CACHE_BYTES }),
    simulator,
    vendor,
    store,
    requested,
    ...accounts,
    async connect(userId, person, shared, provider) {
      await accounts.authorize(userId, person, shared, provider)
      await sync(userId, provider)
    },
    sync,
    ...jobs,
    webhooks,
    webhookUrl: receiver.url,
    async close() {
      await beside.close()
      if (!options.simulator) await simulator.close()
      await receiver.close()
      await store.drop()
    },
  }
}

const startOwnVendor = ({ seed = "world", now, days = 60, calls }: WorldOptions): Promise<Simulator> =>
  startVendor({ seed, now: now ?? new Date("2026-11-20T12:00:00Z"), days, ...(calls && { rateLimits: calls }) })

function contextOf(
  options: WorldOptions,
  {
    simulator,
    vendors,
    store: { database },
    requested,
  }: Pick<World, "simulator" | "store" | "requested"> & { readonly vendors: readonly VendorUnderTest[] },
): Context {
  const { calls, quota, timeoutMs = VENDOR_TIMEOUT_MS, gateFor, logger, sharedVendorAccounts } = options
  return createContext({
    database,
    clock: { now: () => simulator.clock.now() },
    vendorUrl: simulator.url,
    besideUrls: Object.fromEntries(vendors.map(({ provider, simulator: { url } }) => [provider, url])),
    timeoutMs,
    waitForCall: async (milliseconds) => simulator.clock.advance(milliseconds),
    jobs: options.jobs ?? {
      requestSync: async (connection) => void requested.push(connection),
      isAnyoneWaiting: async () => false,
      isSyncing: async () => false,
    },
    ...(calls && { calls }),
    ...(gateFor && { gateFor }),
    ...(quota && { plans: quota }),
    ...(logger && { logger }),
    ...(sharedVendorAccounts && { sharedVendorAccounts }),
  })
}

function jobsOf(context: Context, usual: VendorName, requested: ConnectionId[]): Pick<World, "runJob" | "runDue"> {
  const { signal } = new AbortController()
  const run = (connection: ConnectionId, more: object = {}) => syncConnection(context, connection, { signal, ...more })
  const runJob: World["runJob"] = async (userId, { provider = usual, ...more } = {}) => {
    requested.length = 0
    await run({ userId, provider }, more)
  }
  return {
    runJob,
    async runDue() {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        requested.length = 0
        await retryRejected(context)
        await requestDueSyncs(context)
        const due = new Map(requested.splice(0).map((connection) => [JSON.stringify(connection), connection]))
        if (due.size === 0) return
        for (const connection of due.values()) {
          requested.length = 0
          await run(connection)
        }
      }
      throw new Error("jobs are due again and again although no time passes")
    },
  }
}

const accountsOf = (
  context: Context,
  { provider: usual }: VendorUnderTest,
  vendors: readonly VendorUnderTest[],
  { pool }: TestDatabase,
): Pick<World, "addUser" | "authorize"> => ({
  async addUser(user) {
    const id = user?.id ?? randomUUID()
    await pool.query(
      `insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       values ($1, 'Ada', $2, true, now(), now())`,
      [id, user?.email ?? `${id}@example.com`],
    )
    return id
  },
  async authorize(userId, person, sharedVendorAccounts = context.sharedVendorAccounts, provider = usual) {
    const key = vendors.find((each) => each.provider === provider)?.keyOf?.(person)
    if (key !== undefined) {
      await connectWithKey({ ...context, sharedVendorAccounts }, { userId, provider }, key)
      return
    }
    const redirectUri = `http://localhost:3000/api/connections/${provider}/callback`
    const attempt = { userId, provider, sessionId: "session", redirectUri }
    const { searchParams } = await approveAtVendor(await beginConnection(context, attempt), person)
    const [state, code] = [searchParams.get("state") ?? "", searchParams.get("code") ?? ""]
    const scope = searchParams.get("scope") ?? undefined
    await completeConnection({ ...context, sharedVendorAccounts }, { ...attempt, state, code, scope })
  },
})
