import { randomUUID } from "node:crypto"
import { setTimeout as timer } from "node:timers/promises"
import {
  beginConnection,
  type CallPurpose,
  type ConnectionId,
  type Context,
  completeConnection,
  createCallGate,
  createHealthReader,
  createTokenCipher,
  type HealthReader,
  requestDueSyncs,
  retryRejected,
  syncConnection,
} from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { type NewPerson, type Person, type Simulator, startSimulator } from "@restwell/simulator"
import { createTestDatabase, type TestDatabase } from "./database.ts"
import { startWebhookReceiver } from "./webhook-receiver.ts"

const PROVIDER = "whoop"
export const TEST_SECRET = "a secret of at least thirty-two characters"
const REDIRECT_URI = "http://localhost:3000/api/connections/whoop/callback"

/** Core with a database of its own and a simulated vendor, both on one clock that stands still until it is moved. */
export interface World {
  readonly context: Context
  readonly reader: HealthReader
  readonly simulator: Simulator
  readonly store: TestDatabase
  /** Syncs that were asked for and not yet run. */
  readonly requested: ConnectionId[]
  /** A new account, without a connection. */
  addUser(): Promise<string>
  /** Connects an account to a person of the vendor, and reads nothing yet. */
  authorize(userId: string, person: Person): Promise<void>
  /** Connects an account to a person of the vendor, and brings it in step. */
  connect(userId: string, person: Person): Promise<void>
  /** Runs a job at a time when news are due. */
  sync(userId: string): Promise<void>
  /** Runs a job for what there is to do at this moment. */
  runJob(userId: string, options?: { readonly withHistory: boolean }): Promise<void>
  /** Runs the jobs that workers would find due at this moment, until there are none. */
  runDue(): Promise<void>
  /** What became of the webhooks so far. */
  readonly webhooks: string[]
  /** Where webhooks are taken. */
  readonly webhookUrl: string
  close(): Promise<void>
}

export interface WorldOptions {
  /** A vendor of somebody else's, which stays as it is; without it the world has one of its own. */
  readonly simulator?: Simulator
  readonly now?: Date
  readonly seed?: string
  readonly days?: number
  readonly calls?: { readonly perMinute: number; readonly perDay: number }
  /** Has the vendor tell of changes. @default false */
  readonly hasWebhooks?: boolean
  /** How long an answer of the vendor is waited for, milliseconds. @default 2000 */
  readonly timeoutMs?: number
  readonly quota?: { readonly free: number; readonly pro: number }
}

const MOST_ROUNDS = 20
const UNLIMITED = { perMinute: 1_000_000, perDay: 1_000_000 }

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const simulator = options.simulator ?? (await startOwnSimulator(options))
  const store = await createTestDatabase()
  const requested: ConnectionId[] = []
  const clock = { now: () => simulator.clock.now() }
  const wait = async (milliseconds: number) => simulator.clock.advance(milliseconds)
  const adaptersFor = (purpose: CallPurpose) => {
    const adapter = VENDORS.whoop.createAdapter({
      clientId: "simulator-client",
      clientSecret: "simulator-secret",
      baseUrl: simulator.url,
      gate: createCallGate({
        database: store.database,
        clock,
        wait,
        provider: PROVIDER,
        limits: options.calls ?? UNLIMITED,
        budget: VENDORS.whoop.syncPolicy.calls,
        purpose,
      }),
      timeoutMs: options.timeoutMs ?? 2_000,
      delay: async () => {},
    })
    return new Map([[PROVIDER, adapter]])
  }
  const silent = () => {}
  const context: Context = {
    database: store.database,
    clock,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    jobs: {
      async requestSync(connection) {
        requested.push(connection)
      },
      async isAnyoneWaiting() {
        return false
      },
    },
    adapters: adaptersFor("person"),
    adaptersFor,
    cipher: createTokenCipher([TEST_SECRET]),
    wait: (milliseconds) => timer(milliseconds),
    plans: options.quota ?? { free: 1_000_000, pro: 2_000_000 },
    version: "1.0.0",
  }
  const { signal } = new AbortController()
  const runJob = async (userId: string, more: { withHistory?: boolean } = {}) => {
    requested.length = 0
    await syncConnection(context, { userId, provider: PROVIDER }, { signal, ...more })
  }
  const runDue = async () => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      requested.length = 0
      await retryRejected(context)
      await requestDueSyncs(context)
      const due = new Set(requested.splice(0).map(({ userId }) => userId))
      if (due.size === 0) return
      for (const userId of due) await runJob(userId)
    }
    throw new Error("jobs are due again and again without time passing")
  }
  const webhooks: string[] = []
  const receiver = await startWebhookReceiver(context, webhooks)
  if (options.hasWebhooks) simulator.webhooks.urls = [receiver.url]
  const sync = async (userId: string) => {
    await store.pool.query("update restwell.connection set refresh_at = null where user_id = $1", [userId])
    await runJob(userId)
  }
  const authorize = async (userId: string, person: Person) => {
    const attempt = { userId, provider: PROVIDER, sessionId: "session", redirectUri: REDIRECT_URI }
    const page = await beginConnection(context, attempt)
    page.searchParams.set("login_hint", person.email)
    const answer = await fetch(page, { redirect: "manual" })
    const callback = new URL(answer.headers.get("location") ?? "")
    const state = callback.searchParams.get("state") ?? ""
    const code = callback.searchParams.get("code") ?? ""
    await completeConnection(context, { ...attempt, state, code })
  }
  return {
    context,
    reader: createHealthReader(context, { pool: store.pool, heldBytes: 1_000_000 }),
    simulator,
    store,
    requested,
    sync,
    runJob,
    runDue,
    webhooks,
    webhookUrl: receiver.url,
    async addUser() {
      const id = randomUUID()
      await store.pool.query(
        `insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt") values ($1, 'Ada', $2, true, now(), now())`,
        [id, `${id}@example.com`],
      )
      return id
    },
    authorize,
    async connect(userId, person) {
      await authorize(userId, person)
      await sync(userId)
    },
    async close() {
      if (!options.simulator) await simulator.close()
      await receiver.close()
      await store.drop()
    },
  }
}

const startOwnSimulator = ({ seed, now, days, calls }: WorldOptions): Promise<Simulator> =>
  startSimulator({
    seed: seed ?? "world",
    now: now ?? new Date("2026-11-20T12:00:00Z"),
    days: days ?? 60,
    defaultPeople: false,
    rateLimits: calls ?? "off",
    autoApprove: true,
  })

export type { NewPerson }
