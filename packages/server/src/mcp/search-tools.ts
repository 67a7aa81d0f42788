import type { McpServer } from "@modelcontextprotocol/server"
import { DAYS, type HealthQuery, HealthQuerySchema } from "@restwell/client"
import { Forbidden, type HealthBody, InvalidRequest, SUMMARY_SCOPES } from "@restwell/core"
import { cycleText, recoveryText, sleepText, summaryText, workoutText } from "./answer-text.ts"
import { type DayRecords, dayId, findDays } from "./days-of-record.ts"
import type { HealthSource } from "./health-source.ts"
import { leanSchema } from "./lean-schema.ts"
import { plainWords, sharedSummary } from "./shared-answer.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { FETCH, OUTPUTS, SEARCH } from "./tool-schemas.ts"

const SEARCHED_DAYS = 30
const SUMMARY_ID = /^summary:(7|30|90)$/
const DAY_ID = /^day:(\d{4}-\d{2}-\d{2})$/

/** `search` and `fetch` for research modes, with days as documents. */
export function registerSearch(server: McpServer, options: ToolOptions): void {
  const { source, challenge } = options
  server.registerTool(
    "search",
    {
      title: "Search days",
      description: `Finds days and summaries by words, sport or date among the last ${SEARCHED_DAYS} days, or any date that is named. Read one with fetch.`,
      inputSchema: leanSchema(SEARCH.input),
      outputSchema: leanSchema(SEARCH.output),
      annotations: READ_ONLY,
      scopeChallenge: challenge(SUMMARY_SCOPES),
    },
    ({ query }) => toolResult(() => search(source, query), options),
  )
  server.registerTool(
    "fetch",
    {
      title: "Read a day",
      description: "Everything of one day, or a summary, by an id from search.",
      inputSchema: leanSchema(FETCH.input),
      outputSchema: leanSchema(FETCH.output),
      annotations: READ_ONLY,
      scopeChallenge: challenge(SUMMARY_SCOPES),
    },
    ({ id }) => toolResult(() => fetchDocument(source, id), options),
  )
}

async function search(source: HealthSource, query: string): Promise<Answered> {
  const [date] = query.match(/\d{4}-\d{2}-\d{2}/) ?? []
  const range =
    date === undefined ? { days: Math.min(SEARCHED_DAYS, source.sharing.days ?? DAYS.max) } : datesOf(date, "query")
  const days = findDays(await readDays(source, "search", range), query)
  const url = `${source.baseUrl}/trends`
  const summaries = [7, 30]
    .filter((length) => length <= (source.sharing.days ?? DAYS.max))
    .map((length) => ({ id: `summary:${length}`, title: `Summary of the last ${length} days`, url }))
  const results = [...days.map((day) => ({ ...day, url })), ...(date === undefined ? summaries : [])]
  return answered({ results })
}

async function fetchDocument(source: HealthSource, id: string): Promise<Answered> {
  const url = `${source.baseUrl}/trends`
  const length = SUMMARY_ID.exec(id)?.[1]
  if (length !== undefined) {
    const [body] = await source.read("fetch", [{ type: "summary", days: Number(length) }])
    if (!body) throw new Error("a read returned nothing")
    const text = summaryText(sharedSummary(body, source.sharing))
    return answered({ id, title: `Summary of the last ${length} days`, text, url })
  }
  const date = DAY_ID.exec(id)?.[1]
  if (date === undefined) throw new InvalidRequest(`unknown id, use one from search, like ${dayId("2026-11-19")}`, "id")
  return answered(await readDay(source, "fetch", date))
}

/** All shared records of one date, as a document. */
export async function readDay(source: HealthSource, operation: string, date: string) {
  const { sleep, recovery, workout, cycle } = await readDays(source, operation, datesOf(date, "id"))
  const parts = [
    sleep && sleepText(sleep),
    recovery && recoveryText(recovery),
    cycle && cycleText(cycle),
    workout && workoutText(workout),
  ]
  const text = parts.filter((part) => part !== undefined).join("\n\n")
  return { id: dayId(date), title: `Health data of ${date}`, text, url: `${source.baseUrl}/trends`, metadata: { date } }
}

const answered = (structured: Record<string, unknown>): Answered => ({ text: JSON.stringify(structured), structured })

/** @throws {InvalidRequest} */
function datesOf(date: string, field: string) {
  const parsed = HealthQuerySchema.shape.start_date.safeParse(date)
  if (!parsed.success) throw new InvalidRequest(`${date} is not a calendar date`, field)
  return { start_date: date, end_date: date }
}

/** The shared records of some dates, by type. Counts as one request. */
async function readDays(
  source: HealthSource,
  operation: string,
  range: Omit<HealthQuery, "type">,
): Promise<DayRecords> {
  const { scopes } = source.sharing
  const types = [
    ...(scopes.includes("sleep:read") ? (["sleep"] as const) : []),
    ...(scopes.includes("recovery:read") ? (["recovery"] as const) : []),
    ...(scopes.includes("workouts:read") ? (["workout", "cycle"] as const) : []),
  ]
  if (types.length === 0)
    throw new Forbidden(
      `the person shares no sleep, recovery or workouts with this assistant, see ${source.baseUrl}/connections`,
    )
  const bodies = await source.read(
    operation,
    types.map((type) => ({ type, ...range })),
  )
  const bodyOf = (type: (typeof types)[number]): HealthBody | undefined => plainWords(bodies[types.indexOf(type)])
  return {
    ...(scopes.includes("sleep:read") && { sleep: OUTPUTS.sleep.parse(bodyOf("sleep")) }),
    ...(scopes.includes("recovery:read") && { recovery: OUTPUTS.recovery.parse(bodyOf("recovery")) }),
    ...(scopes.includes("workouts:read") && {
      workout: OUTPUTS.workout.parse(bodyOf("workout")),
      cycle: OUTPUTS.cycle.parse(bodyOf("cycle")),
    }),
  }
}
