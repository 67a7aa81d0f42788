/** The kinds of operations that a day consists of, each as a turn that can be repeated. */
import { Agent } from "node:http"
import { addJob, createJobQueue } from "@restwell/core"
import { endSyncs, timeRead } from "../growth/read-medians.ts"
import { capture } from "../measuring/capture.ts"
import { inTurns } from "../measuring/in-turns.ts"
import { inTurn, run as runLoad } from "../measuring/load.ts"
import { bytesOf, readOf, type SentRequest } from "../measuring/requests.ts"
import { apiKeyOfMember, userIdOfMember } from "../population/member.ts"
import { type ActivePerson, untilIdle } from "./active-people.ts"
import type { Turn } from "./cost.ts"
import type { Deployment } from "./deployment.ts"
import { announceNights, announceWorkouts, forgetNights, forgetWorkouts } from "./events.ts"
import { pushHour } from "./pushes.ts"
import type { KindName } from "./rates.ts"

/** One kind of operation. */
export interface Kind {
  /** Undoes what the turn before did. It is not measured. */
  readonly prepare?: () => Promise<unknown>
  readonly run: () => Promise<Turn>
}

export interface People {
  /** People who are synced and push. */
  readonly synced: readonly ActivePerson[]
  /** People who get a briefing, of whom nothing else is measured. */
  readonly briefed: readonly ActivePerson[]
  /** The numbers of people of the population, who read. */
  readonly readers: readonly number[]
}

const PROVIDER = "whoop"
/** Seven nights of sleep. */
export const SEARCH = "type=sleep&days=7"
/** Requests in flight. */
const CONNECTIONS = 8
const READING_MS = 2_000

export function kindsOf(deployment: Deployment, people: People): Readonly<Record<KindName, Kind>> {
  return { ...syncsOf(deployment, people), ...readsOf(deployment, people), briefing: briefingOf(deployment, people) }
}

function syncsOf(
  deployment: Deployment,
  { synced }: People,
): Readonly<Record<"night" | "workout" | "refresh" | "poll" | "push", Kind>> {
  const { pool, world } = deployment
  const ids = synced.map(({ userId }) => userId)
  const jobs = createJobQueue(world.context)
  const untilStored = async (work: Promise<number>): Promise<Turn> => {
    const operations = await work
    await untilIdle(pool)
    return { operations }
  }
  let hour = 0
  return {
    night: {
      prepare: () => forgetNights(pool, ids),
      run: () => untilStored(announceNights(deployment, synced)),
    },
    workout: {
      prepare: () => forgetWorkouts(pool, ids),
      run: () => untilStored(announceWorkouts(deployment, synced)),
    },
    refresh: {
      prepare: () =>
        pool.query(
          `update restwell.connection set last_synced_at = now() - interval '20 minutes', sync_requested_at = now()
           where user_id = any ($1)`,
          [ids],
        ),
      run: () =>
        untilStored(
          inTurns(ids, CONNECTIONS, (userId) => jobs.requestSync({ userId, provider: PROVIDER })).then(
            ({ length }) => length,
          ),
        ),
    },
    poll: {
      // Without an event for long, webhooks count as silent.
      prepare: () =>
        pool.query(
          `update restwell.connection set last_event_at = now() - interval '3 days',
             last_synced_at = now() - interval '2 hours', refresh_at = now() - interval '1 hour'
           where user_id like 'active-%' and provider = $1`,
          [PROVIDER],
        ),
      run: () =>
        untilStored(
          pool
            .query("update restwell.connection set next_sync_at = now() where user_id = any ($1) and provider = $2", [
              ids,
              PROVIDER,
            ])
            .then(({ rowCount }) => rowCount ?? 0),
        ),
    },
    push: {
      run: () => {
        hour += 1
        return untilStored(pushHour(deployment.api.url, synced, hour))
      },
    },
  }
}

function readsOf(
  { pool, api }: Deployment,
  { readers }: People,
): Readonly<Record<"cold" | "hot" | "conditional", Kind>> {
  const endTheirSyncs = () =>
    endSyncs(
      pool,
      readers.map((number) => ({ userId: userIdOfMember(number) })),
    )
  const coldReads = async (): Promise<number[]> => {
    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    try {
      return await inTurns(readers, CONNECTIONS, (number) =>
        timeRead(agent, `${api.url}/api/v1/health?${SEARCH}`, apiKeyOfMember(number)),
      )
    } finally {
      agent.destroy()
    }
  }
  const requests = readers.map((number) => readOf(apiKeyOfMember(number), SEARCH))
  let conditional: readonly SentRequest[] = []
  const turnOf = async (sent: readonly SentRequest[], status: number): Promise<Turn> => {
    const load = { port: api.port, connections: CONNECTIONS, next: inTurn(sent.map(bytesOf)), status }
    const { timesMs } = await runLoad(load, READING_MS)
    return { operations: timesMs.length, timesMs }
  }
  return {
    cold: {
      prepare: endTheirSyncs,
      async run() {
        const timesMs = await coldReads()
        return { operations: timesMs.length, timesMs }
      },
    },
    hot: { prepare: () => endTheirSyncs().then(coldReads), run: () => turnOf(requests, 200) },
    conditional: {
      async prepare() {
        await endTheirSyncs()
        conditional = await inTurns(requests, CONNECTIONS, async (request) => {
          const { headers } = await capture(api.port, request)
          const etag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1] ?? ""
          return { ...request, headers: { ...request.headers, "if-none-match": etag } }
        })
      },
      run: () => turnOf(conditional, 304),
    },
  }
}

function briefingOf({ pool, world }: Deployment, { briefed }: People): Kind {
  const ids = briefed.map(({ userId }) => userId)
  return {
    async prepare() {
      for (const table of ["morning", "notice", "delivery"])
        await pool.query(`delete from restwell.${table} where user_id = any ($1)`, [ids])
    },
    async run() {
      await inTurns(ids, CONNECTIONS, (userId) =>
        addJob(world.context, { kind: "notify", key: userId, userId, priority: 0, due: "at_once" }),
      )
      await untilIdle(pool)
      const { rowCount } = await pool.query(
        "select from restwell.delivery where user_id = any ($1) and status = 'delivered'",
        [ids],
      )
      return { operations: rowCount ?? 0 }
    },
  }
}
