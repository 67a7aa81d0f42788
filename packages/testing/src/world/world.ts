import { randomUUID } from "node:crypto"
import {
  beginConnection,
  type ConnectionId,
  type Context,
  completeConnection,
  createCallGate,
  createHealthReader,
  type HealthReader,
  requestDueSyncs,
  retryRejected,
  syncConnection,
} from "@restwell/core"
import type { Person, Simulator } from "@restwell/simulator"
import type { Pool } from "pg"
import { createTestDatabase, databaseOf, type TestDatabase } from "../database/test-database.ts"
import { approveAtVendor } from "../vendor/approve-at-vendor.ts"
import { startVendor } from "../vendor/start-vendor.ts"
import { BUDGET, type ContextOptions, createContext, PROVIDER, UNLIMITED } from "./create-context.ts"
import { startWebhookReceiver } from "./webhook-receiver.ts"

const REDIRECT_URI = "http://localhost:3000/api/connections/whoop/callback"
const MAX_ROUNDS = 20
const CACHE_BYTES = 1_000_000

/** Core with its own database and a simulated vendor. Both follow one clock, which moves only when a test moves it. */
export interface World {
  readonly context: Context
  readonly reader: HealthReader
  readonly simulator: Simulator
  readonly store: TestDatabase
  /** Syncs that were requested and have not run. */
  readonly requested: ConnectionId[]
  /** Adds an account without a connection. */
  addUser(user?: { readonly id: string; readonly email: string }): Promise<string>
  /** Connects an account to a person of the vendor, without a sync. @param shared the setting of this call. @default the world's */
  authorize(userId: string, person: Pick<Person, "email">, shared?: Context["sharedVendorAccounts"]): Promise<void>
  /** Connects an account to a person of the vendor, and syncs it. @param shared the setting of this call. @default the world's */
  connect(userId: string, person: Pick<Person, "email">, shared?: Context["sharedVendorAccounts"]): Promise<void>
  /** Syncs, the newest records included, even if they are not due. */
  sync(userId: string): Promise<void>
  /** Syncs what is due now. */
  runJob(userId: string, options?: { readonly withHistory: boolean }): Promise<void>
  /** Runs the jobs that are due now until none is left. */
  runDue(): Promise<void>
  /** The outcome of each webhook so far. */
  readonly webhooks: string[]
  /** Where webhooks are received. */
  readonly webhookUrl: string
  close(): Promise<void>
}

export interface WorldOptions
  extends Pick<ContextOptions, "gateFor" | "jobs" | "logger" | "timeoutMs" | "sharedVendorAccounts"> {
  /** A vendor that stays open when the world closes. @default a vendor of its own */
  readonly simulator?: Simulator
  /** The database of a pool that stays open when the world closes. @default a database of its own */
  readonly pool?: Pool
  readonly now?: Date
  readonly seed?: string
  readonly days?: number
  /** The vendor's call limits, and the budget of the service. @default none */
  readonly calls?: { readonly perMinute: number; readonly perDay: number }
  /** Whether the vendor sends webhooks. @default false */
  readonly hasWebhooks?: boolean
  readonly quota?: Context["plans"]
  /** Size of the response cache. @default 1 MB */
  readonly cacheBytes?: number
}

const VENDOR_TIMEOUT_MS = 2_000

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const simulator = options.simulator ?? (await startOwnVendor(options))
  const store = options.pool ? databaseOf(options.pool) : await createTestDatabase()
  const requested: ConnectionId[] = []
  const context = contextOf(options, { simulator, store, requested })
  const webhooks: string[] = []
  const receiver = await startWebhookReceiver(context, webhooks)
  if (options.hasWebhooks) simulator.webhooks.urls = [receiver.url]
  const jobs = jobsOf(context, requested)
  const accounts = accountsOf(context, store)
  const sync = async (userId: string) => {
    await store.pool.query("update restwell.connection set refresh_at = null where user_id = $1", [userId])
    await jobs.runJob(userId)
  }
  return {
    context,
    reader: createHealthReader(context, { pool: store.pool, cacheBytes: options.cacheBytes ?? CACHE_BYTES }),
    simulator,
    store,
    requested,
    ...accounts,
    async connect(userId, person, shared) {
      await accounts.authorize(userId, person, shared)
      await sync(userId)
    },
    sync,
    ...jobs,
    webhooks,
    webhookUrl: receiver.url,
    async close() {
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
  { simulator, store: { database }, requested }: Pick<World, "simulator" | "store" | "requested">,
): Context {
  const { calls = UNLIMITED, quota, timeoutMs = VENDOR_TIMEOUT_MS, gateFor, logger, sharedVendorAccounts } = options
  const clock = { now: () => simulator.clock.now() }
  const wait = async (milliseconds: number) => simulator.clock.advance(milliseconds)
  return createContext({
    database,
    clock,
    vendorUrl: simulator.url,
    timeoutMs,
    gateFor:
      gateFor ??
      ((purpose, userId) =>
        createCallGate({ database, clock, wait, provider: PROVIDER, limits: calls, budget: BUDGET, purpose, userId })),
    jobs: options.jobs ?? {
      requestSync: async (connection) => void requested.push(connection),
      isAnyoneWaiting: async () => false,
      isSyncing: async () => false,
    },
    ...(quota && { plans: quota }),
    ...(logger && { logger }),
    ...(sharedVendorAccounts && { sharedVendorAccounts }),
  })
}

function jobsOf(context: Context, requested: ConnectionId[]): Pick<World, "runJob" | "runDue"> {
  const { signal } = new AbortController()
  const runJob: World["runJob"] = async (userId, more) => {
    requested.length = 0
    await syncConnection(context, { userId, provider: PROVIDER }, { signal, ...more })
  }
  return {
    runJob,
    async runDue() {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        requested.length = 0
        await retryRejected(context)
        await requestDueSyncs(context)
        const due = new Set(requested.splice(0).map(({ userId }) => userId))
        if (due.size === 0) return
        for (const userId of due) await runJob(userId)
      }
      throw new Error("jobs are due again and again although no time passes")
    },
  }
}

const accountsOf = (context: Context, { pool }: TestDatabase): Pick<World, "addUser" | "authorize"> => ({
  async addUser(user) {
    const id = user?.id ?? randomUUID()
    await pool.query(
      `insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
       values ($1, 'Ada', $2, true, now(), now())`,
      [id, user?.email ?? `${id}@example.com`],
    )
    return id
  },
  async authorize(userId, person, sharedVendorAccounts = context.sharedVendorAccounts) {
    const attempt = { userId, provider: PROVIDER, sessionId: "session", redirectUri: REDIRECT_URI }
    const { searchParams } = await approveAtVendor(await beginConnection(context, attempt), person)
    const [state, code] = [searchParams.get("state") ?? "", searchParams.get("code") ?? ""]
    await completeConnection({ ...context, sharedVendorAccounts }, { ...attempt, state, code })
  },
})
