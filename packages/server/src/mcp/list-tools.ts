import type { McpServer } from "@modelcontextprotocol/server"
import { SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core"
import { z } from "zod"
import { cycleText, recoveryText, sleepText, summaryText, workoutText } from "./answer-text.ts"
import { type CsvType, csvLink } from "./csv-resources.ts"
import type { HealthSource } from "./health-source.ts"
import { journalText } from "./journal-text.ts"
import { leanOutput, leanSchema } from "./lean-schema.ts"
import { pendingMorning, pendingSummary } from "./pending-morning.ts"
import { plainWords, sharedSummary } from "./shared-answer.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { type ListRange, ListRangeSchema, OUTPUTS, type Range, RangeSchema } from "./tool-schemas.ts"

/** The averages of a range. */
export function registerSummary(server: McpServer, options: ToolOptions): void {
  server.registerTool(
    "get_summary",
    {
      title: "Health summary",
      description:
        "Averages over up to 90 dates of sleep, recovery, strain and workouts, with counts. Naps and unscored nights are left out.",
      inputSchema: leanSchema(RangeSchema),
      outputSchema: leanOutput(OUTPUTS.summary),
      annotations: READ_ONLY,
      scopeChallenge: options.challenge(SUMMARY_SCOPES),
    },
    (range) => toolResult(() => readSummary(options.source, range), options),
  )
}

/** The tools whose results are lists of records. */
export function registerLists(server: McpServer, options: ToolOptions): void {
  const register = <Output extends z.ZodObject>(tool: ListTool<Output>): void => {
    const { name, title, description, type, output } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: leanSchema(ListRangeSchema),
        outputSchema: leanOutput(output),
        annotations: READ_ONLY,
        scopeChallenge: options.challenge([SCOPE_OF[type]]),
      },
      (range) => toolResult(() => readList(options.source, tool, range), options),
    )
  }
  register({
    name: "get_sleep",
    title: "Sleep",
    description: "Nights and naps, newest first: local times, hours in bed and asleep, need, stages, performance.",
    type: "sleep",
    output: OUTPUTS.sleep,
    text: sleepText,
  })
  register({
    name: "get_recovery",
    title: "Recovery",
    description:
      "Each day's recovery, newest first: score, HRV (ms), resting heart rate, blood oxygen, skin temperature.",
    type: "recovery",
    output: OUTPUTS.recovery,
    text: recoveryText,
  })
  register({
    name: "get_workouts",
    title: "Workouts",
    description: "Workouts, newest first: sport, local times, strain, heart rate and its zones, energy, distance.",
    type: "workout",
    output: OUTPUTS.workout,
    text: workoutText,
  })
  register({
    name: "get_cycles",
    title: "Daily strain",
    description: "Days, newest first: strain (0 to 21, logarithmic), energy, heart rate, steps. Today is in progress.",
    type: "cycle",
    output: OUTPUTS.cycle,
    text: cycleText,
  })
  register({
    name: "get_journal",
    title: "Journal",
    description:
      "What the person noted (alcohol, caffeine, late meals), by date of waking. A factor without an answer was not asked: no no.",
    type: "journal",
    output: OUTPUTS.journal,
    text: journalText,
  })
}

/** What all lists have. */
const ListSchema = z.looseObject({ records: z.array(z.unknown()), empty_reason: z.string().nullable() })

interface ListTool<Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: CsvType
  readonly output: Output
  readonly text: (answer: z.infer<Output>) => string
}

async function readSummary(source: HealthSource, range: Range): Promise<Answered> {
  const [body] = await source.read("get_summary", [{ type: "summary", ...range }])
  if (!body) throw new Error("a read returned nothing")
  const summary = plainWords(sharedSummary(body, source.sharing))
  const pending = await pendingSummary(source, summary, range)
  const answer = pending ? { ...summary, pending } : summary
  return { text: summaryText(answer), structured: answer }
}

async function readList<Output extends z.ZodObject>(
  source: HealthSource,
  { name, type, output, text }: ListTool<Output>,
  { limit, ...range }: ListRange,
): Promise<Answered> {
  const [body] = await source.read(name, [{ type, ...range }])
  const whole = plainWords(ListSchema.parse(output.parse(body)))
  const pending = await pendingMorning(source, { operation: name, type, answer: whole, range })
  const records = limit === undefined ? whole.records : whole.records.slice(0, limit)
  const leftOut = whole.records.length - records.length
  const answer = output.parse({
    ...whole,
    records,
    count: records.length,
    ...(leftOut > 0 && { left_out: leftOut }),
    ...(pending && { pending }),
  })
  return { text: text(answer), structured: answer, link: records.length > 0 ? csvLink(type, range) : undefined }
}
