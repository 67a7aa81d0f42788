import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { Worker } from "node:worker_threads"
import { DAY_MS, SECOND_MS } from "@restwell/client/time-units"
import { type Database, mergeSamples, openDatabase, openPool } from "@restwell/core"
import type { Kysely } from "kysely"
import { z } from "zod"
import { figuresOf } from "../../measuring/compare.ts"
import { inTurn, run } from "../../measuring/load.ts"
import { milliseconds, openTable, ratio } from "../../measuring/table.ts"
import { connectBenchAssistant } from "../../targets/assistant.ts"
import type { Bench } from "../../targets/bench.ts"
import { withClient } from "../../targets/database.ts"
import { addSources, type BenchPerson } from "../../targets/people.ts"
import { coldReads } from "../beside-statistics.ts"
import type { Flood, Flooded, Kind } from "./hostile-request.ts"
import { kindsOfPerson } from "./person.ts"
import { kindsOfPhone } from "./pushes-and-uploads.ts"
import { STRANGERS } from "./strangers.ts"

/** The most that one person or stranger has open. */
const CONNECTIONS = 8
const ROUNDS = 2
const ROUND_MS = 1_000
/** The rule: the median of others stays below this, or below three times that at rest. */
const MOST_MS = 25
const MOST_TIMES = 3

const SAMPLED_DAYS = 6

export interface Isolation {
  readonly kinds: number
  /** Names of the kinds beside which others wait longer than the rule allows, or anybody gets 5xx. */
  readonly failed: readonly string[]
}

/**
 * 7-night reads of other people at rest, and beside one stranger's or person's requests of a kind on eight connections, in turns.
 * @param only a part of the names of the kinds to measure
 */
export async function isolation({ service, person, people }: Bench, only = ""): Promise<Isolation> {
  const kinds = (await allKinds(service, person)).filter(({ name }) => name.includes(only))
  const load = { port: service.port, connections: 1, status: 200, next: inTurn(coldReads(people)) }
  const row = openTable(`7-night reads of others beside one stranger or person on ${CONNECTIONS} connections`, [
    "requests",
    "at rest p50",
    "beside p50",
    "times",
    "highest",
    "requests/s",
    "ms of the thread",
    "5xx",
    "rule",
  ])
  await run(load, ROUND_MS)
  const failed: string[] = []
  let restMs = Number.POSITIVE_INFINITY
  for (const kind of kinds) {
    const beside = []
    const statuses: Record<string, number> = {}
    let usedMs = 0
    for (let round = 0, firstIndex = 0; round < ROUNDS; round += 1) {
      // A push may still be stored after its sender is gone, so the quietest time counts.
      restMs = Math.min(restMs, figuresOf([await run(load, ROUND_MS)]).p50Ms)
      const flood = await startFlood({
        port: service.port,
        connections: CONNECTIONS,
        requests: kind.requests,
        firstIndex,
      })
      const before = await threadMs(service.pid())
      beside.push(await run(load, ROUND_MS))
      usedMs += (await threadMs(service.pid())) - before
      const flooded = await flood.end()
      firstIndex = flooded.nextIndex
      for (const [status, count] of Object.entries(flooded.statuses)) statuses[status] = (statuses[status] ?? 0) + count
    }
    const { p50Ms } = figuresOf(beside)
    const faults = Object.entries(statuses).reduce(
      (sum, [status, count]) => sum + (Number(status) >= 500 ? count : 0),
      0,
    )
    const answered = Object.entries(statuses).reduce((sum, [status, count]) => sum + (status === "0" ? 0 : count), 0)
    const isKept = p50Ms <= Math.max(MOST_MS, MOST_TIMES * restMs) && faults === 0
    if (!isKept) failed.push(kind.name)
    row([
      kind.name,
      milliseconds(restMs),
      milliseconds(p50Ms),
      ratio(p50Ms / restMs),
      milliseconds(Math.max(...beside.flatMap(({ timesMs }) => timesMs))),
      ((answered * 1_000) / (ROUNDS * ROUND_MS)).toFixed(0),
      milliseconds(usedMs / (answered + beside.reduce((sum, { timesMs }) => sum + timesMs.length, 0))),
      faults,
      isKept ? "kept" : "broken",
    ])
  }
  return { kinds: kinds.length, failed }
}

async function allKinds(service: Bench["service"], person: BenchPerson): Promise<Kind[]> {
  const lastSampledDate = await fill(service, person)
  const { member } = service
  const made = await member.send("POST", "/api/account/ingest-tokens", { name: "phone" })
  const { token } = z.object({ token: z.string() }).parse(await made.json())
  const assistant = await connectBenchAssistant(service)
  const { cookie } = member
  return [
    ...STRANGERS,
    ...kindsOfPerson({ key: person.key, cookie, assistant, lastSampledDate }),
    ...kindsOfPhone({ token, cookie }),
  ]
}

/** More sources of the same nights, and six days with a heart rate for each second. Returns the last of them. */
async function fill({ database: config }: Bench["service"], person: BenchPerson): Promise<string> {
  await withClient(config, (client) => addSources(client, [person], ["oura", "fitbit"]))
  const pool = openPool({ ...config, max: 1 }, () => {})
  const last = Temporal.Now.plainDateISO("UTC").subtract({ days: 2 })
  try {
    const database = openDatabase(pool)
    for (let day = 0; day < SAMPLED_DAYS; day += 1)
      await storeDay(database, person.userId, Date.parse(`${last.subtract({ days: day })}T00:00:00Z`))
  } finally {
    await pool.end()
  }
  return last.toString()
}

const storeDay = (database: Kysely<Database>, userId: string, startMs: number) =>
  database.transaction().execute((transaction) =>
    mergeSamples(transaction, { userId, provider: "whoop" }, [
      {
        type: "heart_rate",
        samples: Array.from({ length: DAY_MS / SECOND_MS }, (_, index) => ({
          atMs: startMs + index * SECOND_MS,
          value: 60 + ((index * 7) % 40),
        })),
      },
    ]),
  )

async function startFlood(workerData: Flood) {
  const worker = new Worker(new URL("flood.ts", import.meta.url), { workerData })
  // It says that it sends.
  await once(worker, "message")
  return {
    async end(): Promise<Flooded> {
      const flooded = once(worker, "message")
      worker.postMessage("end")
      const [counted] = await flooded
      return counted
    },
  }
}

/** Linux counts in hundredths of a second. @see sysconf(3) */
const MS_PER_TICK = 10

/** Processor time of the thread of a process that answers requests, in milliseconds. NaN where the system does not count it. @see proc(5) */
async function threadMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/task/${pid}/stat`, "utf8").catch(() => "")
  // The name of the program, which comes first, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11] ?? Number.NaN) + Number(fields[12])) * MS_PER_TICK
}
