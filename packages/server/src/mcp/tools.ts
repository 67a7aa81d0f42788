import type { McpServer } from "@modelcontextprotocol/server"
import { type ReadType, SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core"
import type { z } from "zod"
import { cycleText, profileText, recoveryText, sleepText, summaryText, workoutText } from "./answer-text.ts"
import type { HealthSource } from "./health-source.ts"
import { journalText } from "./journal-text.ts"
import { leanSchema } from "./lean-schema.ts"
import { registerSearch } from "./search-tools.ts"
import { plainWords, sharedSummary } from "./shared-answer.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { OUTPUTS, type Range, RangeSchema } from "./tool-schemas.ts"

/** All tools. They only read. */
export function registerTools(server: McpServer, options: ToolOptions): void {
  const { source, challenge } = options
  const register = <Output extends z.ZodObject>(tool: RangeTool<Output>): void => {
    const { name, title, description, type, output } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: leanSchema(RangeSchema),
        outputSchema: leanSchema(output),
        annotations: READ_ONLY,
        scopeChallenge: challenge(type === "summary" ? SUMMARY_SCOPES : [SCOPE_OF[type]]),
      },
      (range) => toolResult(() => readRange(source, tool, range), options),
    )
  }
  register({
    name: "get_summary",
    title: "Health summary",
    description:
      "Averages over a range of dates: sleep, recovery, strain, workouts. Use it first, for how a week or month was and to compare two ranges. " +
      "Averages leave out naps and unscored nights. Counts say how many values they have.",
    type: "summary",
    output: OUTPUTS.summary,
    text: summaryText,
  })
  register({
    name: "get_sleep",
    title: "Sleep",
    description:
      "Each night and nap, newest first: times, hours in bed, performance, efficiency, stages, breathing rate. For single nights, stages or " +
      "bedtimes. For averages use get_summary.",
    type: "sleep",
    output: OUTPUTS.sleep,
    text: sleepText,
  })
  register({
    name: "get_recovery",
    title: "Recovery",
    description:
      "Each day's recovery, newest first: score, heart rate variability (ms), resting heart rate, blood oxygen, skin temperature.",
    type: "recovery",
    output: OUTPUTS.recovery,
    text: recoveryText,
  })
  register({
    name: "get_workouts",
    title: "Workouts",
    description: "Each workout, newest first: sport, times, strain, heart rate and its zones, energy, distance.",
    type: "workout",
    output: OUTPUTS.workout,
    text: workoutText,
  })
  register({
    name: "get_cycles",
    title: "Daily strain",
    description:
      "Each physiological day, newest first: strain (0 to 21, logarithmic), energy, heart rate. The newest is still in progress.",
    type: "cycle",
    output: OUTPUTS.cycle,
    text: cycleText,
  })
  register({
    name: "get_journal",
    title: "Journal",
    description:
      "What the person noted, by date of waking, newest first: alcohol, caffeine, late meals and the like. A factor without an answer was " +
      "not asked: that is not a no.",
    type: "journal",
    output: OUTPUTS.journal,
    text: journalText,
  })
  server.registerTool(
    "get_profile",
    {
      title: "Profile",
      description: "The person's name and body measurements, as they entered them at the vendor.",
      outputSchema: leanSchema(OUTPUTS.profile),
      annotations: READ_ONLY,
      scopeChallenge: challenge(["profile:read"]),
    },
    () => toolResult(() => readProfile(source), options),
  )
  registerSearch(server, options)
}

interface RangeTool<Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: Exclude<ReadType, "profile">
  readonly output: Output
  readonly text: (answer: z.infer<Output>) => string
}

async function readRange<Output extends z.ZodObject>(
  source: HealthSource,
  { name, type, output, text }: RangeTool<Output>,
  range: Range,
): Promise<Answered> {
  const [body] = await source.read(name, [{ type, ...range }])
  if (!body) throw new Error("a read returned nothing")
  const answer = plainWords(output.parse(type === "summary" ? sharedSummary(body, source.sharing) : body))
  return { text: text(answer), structured: answer }
}

async function readProfile(source: HealthSource): Promise<Answered> {
  const [body] = await source.read("get_profile", [{ type: "profile" }])
  const answer = plainWords(OUTPUTS.profile.parse(body))
  return { text: profileText(answer), structured: answer }
}
