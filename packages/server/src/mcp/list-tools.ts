import {
  DAYS,
  type DayResponse,
  DayResponseSchema,
  type DisplayPreferences,
  getsNewData,
  INSIGHT_DAYS,
} from "@restwell/client"
import type { ListType, ReadType } from "@restwell/core"
import { countDates, InvalidRequest, resolveDateRange, SCOPE_OF, SUMMARY_SCOPES } from "@restwell/core/connector"
import { z } from "zod"
import { cycleText, journalText, recoveryText, sleepText, summaryText, workoutText } from "./answer-text.ts"
import { defineTool } from "./define-tool.ts"
import { LEAN, LeanListSchema, leanList, leanMissing } from "./lean-records.ts"
import { csvLink } from "./resources.ts"
import type { Answered } from "./tool-protocol.ts"
import {
  type ListRange,
  ListRangeSchema,
  OUTPUTS,
  type Pending,
  plainWords,
  type Range,
  RangeSchema,
  type RecoveryOutput,
  type SleepOutput,
  SUMMARY_OUTPUT,
  type SummaryOutput,
  sharedSummary,
  WorkoutRangeSchema,
} from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

/** Dates that the newest score is looked for in. */
const SEARCHED_DATES = 14

type Morning = SleepOutput | RecoveryOutput
type MorningType = DayResponse["awaited"][number]

interface AskedList {
  readonly operation: string
  readonly type: ReadType
  readonly answer: { readonly records: readonly unknown[]; readonly empty_reason: string | null }
  readonly range: Range
}

/**
 * The morning whose score an answer lacks, so that it is never reported as missing: a night that is being scored, or a range of today alone that
 * has nothing yet. Undefined for other answers, also where nothing of it comes by itself.
 */
async function pendingMorning(
  source: ToolSource,
  { operation, type, answer, range }: AskedList,
): Promise<Pending | undefined> {
  if (type !== "sleep" && type !== "recovery") return undefined
  const morning = OUTPUTS[type].parse(answer)
  const waiting = newest(morning)
  if (waiting ? waiting.score_state !== "pending" : morning.empty_reason !== "no_data_in_range") return undefined
  if (waiting && !comesByItself(waiting, morning)) return undefined
  const today = await source.today()
  if (!reaches(range, today)) return undefined
  const day = await readRecentDays(source, operation, [type], today)
  if (!waiting && !day.awaited.includes(type)) return undefined
  return describe(waiting?.date ?? today, type, day)
}

/** As for a list, where an average of sleep or recovery has no value because of today. */
async function pendingSummary(
  source: ToolSource,
  { sleep, recovery }: SummaryOutput,
  range: Range,
): Promise<Pending | undefined> {
  const absent: MorningType[] = [
    ...(sleep?.night_count === 0 ? (["sleep"] as const) : []),
    ...(recovery?.day_count === 0 ? (["recovery"] as const) : []),
  ]
  if (absent.length === 0) return undefined
  const today = await source.today()
  if (!reaches(range, today)) return undefined
  const day = await readRecentDays(source, "get_summary", absent, today)
  const type = absent.find((each) => day.awaited.includes(each))
  return type && describe(today, type, day)
}

/** Whether today is one of the dates. */
function reaches(range: Range, today: string): boolean {
  const { from, to } = resolveDateRange(range, today)
  return from <= today && to >= today
}

/** Nights before naps: a nap is no morning. */
function newest(morning: Morning): Morning["records"][number] | undefined {
  return morning.records.find((record) => !("is_nap" in record && record.is_nap))
}

/** Whether the source of a morning that is being scored delivers its score. */
const comesByItself = (record: Morning["records"][number], { sources }: Pick<Morning, "sources">): boolean =>
  sources.some((source) => source.provider === record.source && getsNewData(source))

function describe(date: string, type: MorningType, { rows }: Pick<DayResponse, "rows">): Pending {
  const ofDate = rows.find((row) => row.date === date)
  return {
    date,
    since: type === "sleep" ? (ofDate?.sleep?.end_local ?? null) : null,
    newest_scored_date: rows.findLast((row) => row[type]?.score_state === "scored")?.date ?? null,
  }
}

/** Today, what of it still comes, and the dates before, as a part of the same call. */
async function readRecentDays(
  source: ToolSource,
  operation: string,
  groups: readonly MorningType[],
  today: string,
): Promise<DayResponse> {
  const rows = Math.min(SEARCHED_DATES, source.sharing.days ?? SEARCHED_DATES)
  const [body] = await source.readMore(operation, [{ type: "day", date: today, rows }], { groups })
  return DayResponseSchema.parse(body)
}

/** The averages of a range. */
export const summaryTool = defineTool({
  name: "get_summary",
  title: "Health summary",
  description:
    "Averages over up to 90 dates of sleep, recovery, strain and workouts, with counts. Naps and unscored nights are left out.",
  input: RangeSchema,
  output: SUMMARY_OUTPUT,
  needs: SUMMARY_SCOPES,
  answer: readSummary,
})

/** What the list of tools says about every list. Assistants keep it in every conversation, and find the rest in an answer. */
const LIST_OUTPUT = z.looseObject(LeanListSchema.pick({ records: true, empty_reason: true }).shape)

const listTool = <Output extends z.ZodObject>(list: ListTool<Output>) =>
  defineTool({
    ...list,
    input: list.type === "workout" ? WorkoutRangeSchema : ListRangeSchema,
    output: LIST_OUTPUT,
    needs: [SCOPE_OF[list.type]],
    answer: (source, range) => readList(source, list, range),
  })

/** The tools whose results are lists of records. */
export const listTools = [
  listTool({
    name: "get_sleep",
    title: "Sleep",
    description: "Nights and naps, newest first: local times, hours in bed, asleep, need, stages, performance.",
    type: "sleep",
    output: OUTPUTS.sleep,
    text: sleepText,
    lean: (answer) => leanList(answer, LEAN.sleep),
  }),
  listTool({
    name: "get_recovery",
    title: "Recovery",
    description:
      "Each day's recovery, newest first: score, HRV (ms), resting heart rate, blood oxygen, skin temperature.",
    type: "recovery",
    output: OUTPUTS.recovery,
    text: recoveryText,
    lean: (answer) => leanList(answer, LEAN.recovery),
  }),
  listTool({
    name: "get_workouts",
    title: "Workouts",
    description: "Workouts, newest first: sport, local times, strain, heart rate and its zones, energy, distance.",
    type: "workout",
    output: OUTPUTS.workout,
    text: workoutText,
    lean: (answer) => leanList(answer, LEAN.workout),
  }),
  listTool({
    name: "get_cycles",
    title: "Daily strain",
    description: "Days, newest first: strain (0 to 21, logarithmic), energy, heart rate, steps. Today is in progress.",
    type: "cycle",
    output: OUTPUTS.cycle,
    text: cycleText,
    lean: (answer) => leanList(answer, LEAN.cycle),
  }),
  listTool({
    name: "get_journal",
    title: "Journal",
    description:
      "What the person noted, such as alcohol or late meals. A date is that of waking: drinks of Friday evening stand under Saturday. A topic that a date does not list was not asked; do not count it as no.",
    type: "journal",
    output: OUTPUTS.journal,
    text: journalText,
    lean: (answer) => leanList(answer, LEAN.journal),
  }),
]

/** What all lists have. */
const ListSchema = z.looseObject({ records: z.array(z.unknown()), empty_reason: z.string().nullable() })

interface ListTool<Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly type: ListType
  readonly output: Output
  readonly text: (answer: z.infer<Output>, preferences: DisplayPreferences) => string
  readonly lean: (answer: z.infer<Output>) => z.infer<typeof LeanListSchema>
}

async function countAsked(
  source: ToolSource,
  { start_date: from, end_date, days = DAYS.default }: Range,
): Promise<number> {
  return from === undefined ? days : countDates({ from, to: end_date ?? (await source.today()) })
}

/** A list of more dates than an answer has: as a link to a file, because reading it in parts would fill the conversation. */
function fileOf(type: ListType, range: Range, dates: number): Answered {
  if (dates > INSIGHT_DAYS.max) throw new InvalidRequest(`a list may have ${INSIGHT_DAYS.max} dates at most`, "days")
  const link = csvLink(type, range)
  const note =
    `${dates} dates are too many for an answer, which has at most ${DAYS.max}. All records are in the file ${link.uri}. ` +
    "For averages, changes and extremes ask get_trend or compare_periods"
  return { text: note, structured: { records: [], count: 0, empty_reason: null, note }, link }
}

async function readSummary(source: ToolSource, range: Range): Promise<Answered> {
  const [body] = await source.read("get_summary", [{ type: "summary", ...range }])
  if (!body) throw new Error("a read returned nothing")
  const summary = plainWords(sharedSummary(body, source.sharing))
  const pending = await pendingSummary(source, summary, range)
  const answer = pending ? { ...summary, pending } : summary
  const { missing, ...figures } = answer
  return { text: summaryText(answer, source.preferences), structured: { ...figures, ...leanMissing(missing) } }
}

async function readList<Output extends z.ZodObject>(
  source: ToolSource,
  { name, type, output, text, lean }: ListTool<Output>,
  { limit, ...range }: ListRange,
): Promise<Answered> {
  const dates = await countAsked(source, range)
  // Who shares a part of the dates is told so by the read.
  if (dates > DAYS.max && source.sharing.days === null) return fileOf(type, range, dates)
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
  const link = records.length > 0 ? csvLink(type, range) : undefined
  return { text: text(answer, source.preferences), structured: lean(answer), link }
}
