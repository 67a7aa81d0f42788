import { randomUUID } from "node:crypto"
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { SleepResponseSchema } from "@restwell/client"
import {
  beginConnection,
  CALL_PURPOSES,
  type CallLimits,
  type CallPurpose,
  type Context,
  completeConnection,
  createCallGate,
  createHealthReader,
  createTokenCipher,
  createWebhookReceiver,
  type HealthReader,
  migrate,
  openDatabase,
  openPool,
  requestDueSyncs,
  syncConnection,
} from "@restwell/core"
import { RateLimited, VENDORS } from "@restwell/providers"
import { type Delivery, type Person, type Simulator, startSimulator } from "@restwell/simulator"
import type { Pool } from "pg"
import { createLogger } from "../packages/server/src/log.ts"
import { startEmbeddedPostgres } from "../packages/server/src/postgres/embedded-postgres.ts"
import { createTurns } from "./turns.ts"

const PROVIDER = "whoop"
const BUDGET = VENDORS.whoop.syncPolicy.calls
/** People's connections that are synced at a time, as in one process of the service. */
const WORKERS = 6
const HISTORY_DAYS = 14

export interface WeekFigures {
  readonly calls: number
  readonly callsByPurpose: ReadonlyMap<CallPurpose, number>
  readonly busiestMinute: number
  readonly busiestDay: number
  /** p50, p99 and the longest, milliseconds of the simulated clock. */
  readonly budgetWaits: readonly number[]
  /** p50, p99 and the longest, milliseconds of this machine. */
  readonly answerTimes: readonly number[]
  readonly nights: number
  /** Scored nights that the API did not show at the end. */
  readonly missing: number
}

/** A night that the vendor has told of and the API does not show yet. */
interface AwaitedNight {
  readonly userId: string
  readonly id: string
  readonly toldAtMs: number
  readonly toldAt: number
}

export async function startWeek(count: number) {
  const dataDir = await mkdtemp(join(tmpdir(), "restwell-week-"))
  await chmod(dataDir, 0o755)
  const logger = createLogger("error")
  const postgres = await startEmbeddedPostgres({ dataDir, logger, onLost: () => {}, settings: { fsync: "off" } })
  const pool = openPool({ ...postgres.connection, max: 20 }, () => {})
  const database = openDatabase(pool)
  await migrate(database)
  const simulator = await startSimulator({
    seed: "week",
    now: new Date("2026-11-02T00:00:00Z"),
    days: HISTORY_DAYS,
    defaultPeople: false,
    // The limits are held against the log of its requests.
    rateLimits: "off",
    autoApprove: true,
  })
  const turns = createTurns(WORKERS)
  const people = simulator.people.addMany(count)
  const userOf = new Map<number, string>()
  const clock = { now: () => simulator.clock.now() }
  let limits: CallLimits = { perMinute: 1_000_000, perDay: 1_000_000 }
  const adaptersFor = (purpose: CallPurpose) => {
    const gate = {
      acquire: () => gateOf(limits).acquire(),
      report: async () => {},
    }
    const gateOf = (current: CallLimits) =>
      createCallGate({
        database,
        clock,
        // Time passes between the looks of this bench alone: the work comes back for the rest.
        wait: async (waitMs) => {
          throw new RateLimited("the minute is used up", Math.ceil(waitMs / 1000))
        },
        provider: PROVIDER,
        limits: current,
        budget: BUDGET,
        purpose,
      })
    const adapter = VENDORS.whoop.createAdapter({
      clientId: "simulator-client",
      clientSecret: "simulator-secret",
      baseUrl: simulator.url,
      gate,
      // What has to wait comes back when time has passed.
      delay: async () => {},
    })
    return new Map([[PROVIDER, adapter]])
  }
  const all = new Map(CALL_PURPOSES.map((purpose) => [purpose, adaptersFor(purpose)]))
  const context: Context = {
    database,
    clock,
    logger,
    jobs: {
      requestSync: async ({ userId }, urgency = "now") => turns.ask(userId, urgency),
      isAnyoneWaiting: async () => turns.isAnyoneWaiting(),
    },
    adapters: all.get("person") ?? new Map(),
    adaptersFor: (purpose) => all.get(purpose) ?? new Map(),
    cipher: createTokenCipher(() => ["a secret of at least thirty-two characters"]),
    wait: async () => {},
    plans: { free: 1_000_000_000, pro: 1_000_000_000 },
    version: "bench",
  }
  const reader = createHealthReader(context, { pool, heldBytes: 64_000_000 })
  const receiver = await listen(context)
  simulator.webhooks.urls = [receiver.url]
  const { signal } = new AbortController()
  const work = () => turns.run((userId) => syncConnection(context, { userId, provider: PROVIDER }, { signal }))

  let awaited: AwaitedNight[] = []
  const budgetWaits: number[] = []
  const answerTimes: number[] = []
  const live = async (durationMs: number, stepMs: number) => {
    const end = simulator.clock.nowMs() + durationMs
    while (simulator.clock.nowMs() < end) {
      const seen = simulator.webhooks.deliveries.length
      const toldAt = performance.now()
      simulator.clock.advance(stepMs)
      await simulator.webhooks.flush()
      awaited.push(...nightsIn(simulator.webhooks.deliveries.slice(seen), userOf, simulator.clock.nowMs(), toldAt))
      await requestDueSyncs(context)
      await work()
      const open = await notYetShown(reader, awaited)
      for (const night of awaited.filter((each) => !open.includes(each))) {
        budgetWaits.push(simulator.clock.nowMs() - night.toldAtMs)
        if (simulator.clock.nowMs() === night.toldAtMs) answerTimes.push(performance.now() - night.toldAt)
      }
      awaited = open
    }
  }
  return {
    async connectAll() {
      for (const person of people) userOf.set(person.userId, await connect(context, pool, person))
      do {
        await requestDueSyncs(context)
        await work()
      } while ((await pool.query("select from restwell.connection where not history_complete limit 1")).rowCount !== 0)
      // Everybody joined long ago: what is read once after a history was.
      await pool.query("update restwell.connection set reconciliations = 1")
    },
    /** From here on the app has WHOOP's limits. */
    async limit() {
      await pool.query("delete from restwell.vendor_call")
      limits = BUDGET
    },
    live,
    async measure(run: () => Promise<void>): Promise<WeekFigures> {
      await pool.query("delete from restwell.vendor_call_count")
      simulator.requestLog.clear()
      budgetWaits.length = 0
      answerTimes.length = 0
      await run()
      const { rows } = await pool.query<{ purpose: CallPurpose; calls: number }>(
        "select purpose, sum(calls)::int as calls from restwell.vendor_call_count group by purpose order by purpose",
      )
      const moments = callMoments(simulator)
      return {
        calls: moments.length,
        callsByPurpose: new Map(rows.map(({ purpose, calls }) => [purpose, calls])),
        busiestMinute: busiest(moments, 60_000),
        busiestDay: busiest(moments, 86_400_000),
        budgetWaits: percentiles(budgetWaits),
        answerTimes: percentiles(answerTimes),
        nights: budgetWaits.length,
        missing: awaited.filter(({ id }) => isThere(simulator, people, id)).length,
      }
    },
    async close() {
      await simulator.close()
      await receiver.close()
      await pool.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

async function listen(context: Context) {
  const receive = createWebhookReceiver(context)
  const server = createServer(async (request, response) => {
    const rawBody = await buffer(request)
    await receive(PROVIDER, { headers: request.headers, rawBody })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function connect(context: Context, pool: Pool, person: Person): Promise<string> {
  const userId = randomUUID()
  await pool.query(
    `insert into restwell."user" (id, name, email, "emailVerified", "createdAt", "updatedAt") values ($1, 'Ada', $2, true, now(), now())`,
    [userId, `${userId}@example.com`],
  )
  const redirectUri = "http://localhost:3000/api/connections/whoop/callback"
  const attempt = { userId, provider: PROVIDER, sessionId: "session", redirectUri }
  const page = await beginConnection(context, attempt)
  page.searchParams.set("login_hint", person.email)
  const answer = await fetch(page, { redirect: "manual" })
  const callback = new URL(answer.headers.get("location") ?? "")
  const state = callback.searchParams.get("state") ?? ""
  const code = callback.searchParams.get("code") ?? ""
  await completeConnection(context, { ...attempt, state, code })
  return userId
}

/** Nights that the vendor told of with their score, and did not delete again. */
function nightsIn(
  deliveries: readonly Delivery[],
  userOf: ReadonlyMap<number, string>,
  nowMs: number,
  toldAt: number,
): AwaitedNight[] {
  return deliveries.flatMap(({ event }) => {
    const userId = userOf.get(event.userId)
    if (event.type !== "sleep.updated" || userId === undefined) return []
    return [{ userId, id: `whoop-${event.id}`, toldAtMs: nowMs, toldAt }]
  })
}

async function notYetShown(reader: HealthReader, nights: readonly AwaitedNight[]): Promise<AwaitedNight[]> {
  const shown = await Promise.all(
    nights.map(async ({ userId, id }) => {
      const query = { type: "sleep", days: 3 } as const
      const reading = await reader.read({ credential: { userId }, query, ifNoneMatch: [], charge: true })
      if (reading.outcome !== "answer") return false
      const { records } = SleepResponseSchema.parse(reading.body)
      return records.some((record) => record.id === id && record.score_state !== "pending")
    }),
  )
  return nights.filter((_, index) => !shown[index])
}

/** Nights may be deleted before anyone saw them. */
const isThere = (simulator: Simulator, people: readonly Person[], id: string): boolean =>
  people.some((person) => simulator.records(person).sleeps.some((sleep) => `whoop-${sleep.id}` === id))

/** When each call of the data API was made, ascending, epoch ms. */
function callMoments({ requestLog }: Simulator): number[] {
  return requestLog.entries
    .filter(({ path }) => path.startsWith("/developer/v2/"))
    .map(({ at }) => Date.parse(at))
    .toSorted((one, other) => one - other)
}

/** The most calls in any window of a length. */
function busiest(moments: readonly number[], windowMs: number): number {
  let most = 0
  let start = 0
  moments.forEach((moment, end) => {
    while ((moments[start] ?? moment) <= moment - windowMs) start += 1
    most = Math.max(most, end - start + 1)
  })
  return most
}

function percentiles(values: readonly number[]): number[] {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.5, 0.99, 1].map((share) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0)
}
