import type { ReadType } from "@restwell/core"
import { z } from "zod"
import type { HealthSource } from "./health-source.ts"
import { plainWords } from "./shared-answer.ts"
import {
  OUTPUTS,
  type Pending,
  type Range,
  type RecoveryOutput,
  type SleepOutput,
  type SummaryOutput,
} from "./tool-schemas.ts"

/** Dates that the newest score is looked for in. */
const SEARCHED_DATES = 14

type Morning = SleepOutput | RecoveryOutput

interface AskedList {
  readonly operation: string
  readonly type: ReadType
  readonly answer: { readonly records: readonly unknown[]; readonly empty_reason: string | null }
  readonly range: Range
}

/**
 * The morning whose score an answer lacks, so that it is never told as missing: a night that is being scored, or a range of today alone that
 * has nothing yet. Undefined for other answers.
 */
export async function pendingMorning(
  source: HealthSource,
  { operation, type, answer, range }: AskedList,
): Promise<Pending | undefined> {
  if (type !== "sleep" && type !== "recovery") return undefined
  const morning = OUTPUTS[type].parse(answer)
  const waiting = newest(morning)
  if (waiting ? waiting.score_state !== "pending" : morning.empty_reason !== "no_data_in_range") return undefined
  const today = await source.today()
  if (!reaches(range, today)) return undefined
  return describe(waiting?.date ?? today, [morning, await recentMornings(source, operation, type)])
}

/** As for a list, where an average of sleep or recovery has no value because of today. */
export async function pendingSummary(
  source: HealthSource,
  { sleep, recovery }: SummaryOutput,
  range: Range,
): Promise<Pending | undefined> {
  const type = sleep?.night_count === 0 ? "sleep" : recovery?.day_count === 0 ? "recovery" : undefined
  if (type === undefined) return undefined
  const today = await source.today()
  if (!reaches(range, today)) return undefined
  const recent = await recentMornings(source, "get_summary", type)
  return newest(recent) === undefined ? undefined : describe(today, [recent])
}

const reaches = ({ end_date: end }: Range, today: string): boolean => end === undefined || end >= today

/** Nights before naps: a nap is no morning. */
function newest(morning: Morning): Morning["records"][number] | undefined {
  return morning.records.find((record) => !("is_nap" in record && record.is_nap))
}

function describe(date: string, mornings: readonly Morning[]): Pending {
  const records = mornings.flatMap((morning): Morning["records"][number][] => morning.records)
  const ofDate = records.find((record) => record.date === date && "end" in record && !record.is_nap)
  const scored = records.filter(({ score_state: state }) => state === "scored").map((record) => record.date)
  return {
    date,
    since: ofDate && "end_local" in ofDate ? ofDate.end_local : null,
    newest_scored_date: scored.toSorted().at(-1) ?? null,
  }
}

/** The newest mornings, as a part of the same call. */
async function recentMornings(source: HealthSource, operation: string, type: "sleep" | "recovery"): Promise<Morning> {
  const days = Math.min(SEARCHED_DATES, source.sharing.days ?? SEARCHED_DATES)
  const [body] = await source.readMore(operation, [{ type, days }])
  return plainWords(z.union([OUTPUTS.sleep, OUTPUTS.recovery]).parse(body))
}
