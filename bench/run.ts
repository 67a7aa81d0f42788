/**
 * `npm run bench`: how fast the service is, compared with a limit and peers in the same run, as Markdown. Load, service, database, limit and
 * peers are separate processes on this machine, measured one at a time. `npm run bench -- reads`, `sources`, `insights`, `embedded`, `external` or `growth`
 * runs a part. `reads` is the first tables alone, `sources` the reads of people with three sources,
 * `insights` the statistics over ten years, `series` values within the day, `isolation` what others notice of one stranger's or person's requests.
 */

import { growth } from "./growth/growth.ts"
import { printGrowth } from "./growth/print-growth.ts"
import { openTable, ratio } from "./measuring/table.ts"
import { besideStatistics } from "./sections/beside-statistics.ts"
import { coldReads } from "./sections/cold-reads.ts"
import { countedReads } from "./sections/counted-reads.ts"
import { insightReads } from "./sections/insight-reads.ts"
import { isolation } from "./sections/isolation/isolation.ts"
import { seriesReads } from "./sections/series-reads.ts"
import { PEOPLE_OF_SOURCES, sourceReads } from "./sections/source-reads.ts"
import { toolCalls } from "./sections/tool-calls.ts"
import { connectBenchAssistant } from "./targets/assistant.ts"
import { type Bench, COPIED_DAYS } from "./targets/bench.ts"
import { openBenchService } from "./targets/bench-service.ts"
import { withClient } from "./targets/database.ts"
import { printMachine } from "./targets/machine.ts"
import { copyPeople, findPerson } from "./targets/people.ts"

const PEOPLE = 200
/** Days of history of the person who reads. */
const HISTORY_DAYS = 5 * 365
/** Days of history of the person whose statistics are measured: ten years and more. */
const INSIGHT_DAYS = 4_000

/** The connections with which counted reads have a bound. */
const WANTED_CONNECTIONS = 32
const WANTED = {
  cold: 0.6,
  minimal: 0.7,
  sources: 1.5,
  growth: 1.3,
  insightMs: 150,
  cachedInsight: 1.2,
  besideStatistics: 3,
}

/** Values within the day: what is measured, and its bound. */
const SERIES = [
  ["megabytes", "MB of a million samples", 12],
  ["storeMonthSeconds", "seconds until a month of heart rates is stored", 2],
  ["rawDay", "a day's raw values, cold, as multiple of 7 nights", 2.5],
  ["yearByHourMs", "a cold year by the hour, median in ms", 80],
  ["tenYearsByDayMs", "cold ten years by the day, median in ms", 150],
  ["besideSamples", "7 cold nights of people with samples, as multiple of those without", 1.1],
] as const

const summary: [string, string, number, string][] = []

const [only, ofKinds] = process.argv.slice(2)
/** True for a part that needs the embedded PostgreSQL alone. */
const isPart = only === "reads" || only === "sources" || only === "series"

if (only === undefined || only === "insights" || only === "isolation") await ofTenYears()
await withBench("embedded", async (bench) => {
  await mainReads(bench)
  if (isPart) return
  const assistant = await connectBenchAssistant(bench.service)
  await toolCalls(bench.service, { assistant, connections: 32, versions: ["2026-07-28"] })
})
await withBench("external", mainReads)
if (only === undefined || only === "growth") await growthReads()
const row = openTable("In short", ["what", "PostgreSQL", "reached", "wanted"])
for (const [what, postgres, reached, wanted] of summary) row([what, postgres, ratio(reached), wanted])

async function mainReads(bench: Bench): Promise<void> {
  if (only === "series" || (only === undefined && bench.postgres === "embedded")) await seriesOf(bench)
  if (only === "series") return
  if (only !== "sources") await readsOfOne(bench)
  const cost = await sourceReads(bench)
  const what = "cold reads at 32 connections, three sources as multiple of one"
  summary.push([what, bench.postgres, cost, `<= ${WANTED.sources}`])
}

async function seriesOf(bench: Bench): Promise<void> {
  const reached = await seriesReads(bench)
  for (const [name, what, wanted] of SERIES) summary.push([what, bench.postgres, reached[name], `<= ${wanted}`])
}

async function readsOfOne(bench: Bench): Promise<void> {
  for (const { keys, connections, ofMinimal } of await countedReads(bench)) {
    if (connections !== WANTED_CONNECTIONS) continue
    const what = `${keys === "one" ? "one key" : "many keys"}, ${connections} connections: share of the minimal counted read`
    summary.push([what, bench.postgres, ofMinimal, `>= ${WANTED.minimal}`])
  }
  const cold = await coldReads(bench)
  summary.push(["cold reads at 32 connections, share of the peer", bench.postgres, cold.share, `>= ${WANTED.cold}`])
}

async function ofTenYears(): Promise<void> {
  await using service = await openBenchService({ days: INSIGHT_DAYS })
  const { person, people } = await withClient(service.database, async (client) => {
    const person = await findPerson(client, service.key)
    return { person, people: await copyPeople(client, person, { prefix: "copy", count: 50, days: COPIED_DAYS }) }
  })
  if (only !== undefined) await printMachine(service.database)
  const bench: Bench = { service, postgres: "embedded", person, people }
  if (only !== "isolation") await statistics(bench)
  if (only === "insights") return
  const { kinds, failed } = await isolation(bench, ofKinds)
  const what = `kinds of ${kinds} beside which others wait too long, or anybody gets 5xx`
  summary.push([what, "embedded", failed.length, "<= 0"])
}

async function statistics(bench: Bench): Promise<void> {
  for (const [kind, times] of Object.entries(await besideStatistics(bench)))
    summary.push([
      `${kind} reads of others beside 20 relations, as multiple of the median at rest`,
      "embedded",
      times,
      `<= ${WANTED.besideStatistics}`,
    ])
  const { coldMs, cached } = await insightReads(bench)
  for (const [name, milliseconds] of Object.entries(coldMs))
    summary.push([`cold ${name} over ten years, median in ms`, "embedded", milliseconds, `<= ${WANTED.insightMs}`])
  summary.push(["cached trend, as multiple of a cached read", "embedded", cached, `<= ${WANTED.cachedInsight}`])
}

async function growthReads(): Promise<void> {
  const interrupted = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interrupted.abort(new Error("interrupted")))
  const grown = printGrowth(await growth({ days: 0, signal: interrupted.signal }))
  const wanted = `<= ${WANTED.growth}`
  summary.push(["median of a read, 1,000 to 1,000,000 people", "embedded", grown.people, wanted])
  summary.push(["median of a read, 90 days to 10 years", "embedded", grown.history, wanted])
}

async function withBench(postgres: Bench["postgres"], measure: (bench: Bench) => Promise<void>): Promise<void> {
  if (only !== undefined && only !== postgres && !(isPart && postgres === "embedded")) return
  await using service = await openBenchService({
    postgres,
    days: only === "sources" || only === "series" ? COPIED_DAYS : HISTORY_DAYS,
  })
  const count = only === "sources" ? PEOPLE_OF_SOURCES : PEOPLE
  const copies = { prefix: "copy", count, days: COPIED_DAYS }
  const { person, people } = await withClient(service.database, async (client) => {
    const person = await findPerson(client, service.key)
    return { person, people: await copyPeople(client, person, copies) }
  })
  if (postgres !== "external" || only === "external") await printMachine(service.database)
  await measure({ service, postgres, person, people })
}
