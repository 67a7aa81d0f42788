import { DAYS } from "@restwell/client"
import type { Pool } from "pg"
import { countDates, type DateRange, resolveDateRange } from "../calendar/date-range.ts"
import { InvalidRequest } from "../context/errors.ts"
import { planInsight } from "../insight-reads/insight-plan.ts"
import { type InsightLimits, type InsightQuery, isInsight } from "../insight-reads/insight-query.ts"
import type { CountedRead } from "../store/count-reads.ts"
import type { ConnectedSnapshot } from "./answer.ts"
import { answerInsight } from "./answer-insight.ts"
import { readChoices } from "./read-choices.ts"
import type { ReadQuery } from "./read-type.ts"
import { entityTagOf, type HealthResponse, insightTagOf, responseOf, sealResponse } from "./response-cache.ts"

export interface Question {
  readonly query: ReadQuery | InsightQuery
  /** What the reader may be told of the statistics. @default everything */
  readonly limits?: InsightLimits | undefined
}

/** A response that is still to be made. */
export interface PreparedResponse {
  readonly etag: string
  /** How the access log names the read. */
  readonly logged: Pick<CountedRead, "operation" | "types" | "start_date" | "end_date">
  /** Undefined if the person's data changed since the snapshot. */
  respond(): Promise<HealthResponse | undefined>
}

/** Everything about a response that its data do not decide. @param today the person's date @throws {InvalidRequest} for its dates */
export function prepareResponse(
  pool: Pool,
  { query, limits }: Question,
  snapshot: ConnectedSnapshot,
  today: string,
): PreparedResponse {
  if (isInsight(query)) {
    const plan = planInsight(query, today, limits)
    const etag = insightTagOf(plan.name, snapshot.dataVersion)
    return {
      etag,
      logged: { operation: `/api/v1/${query.type}`, types: plan.groups, ...(plan.range && datesOf(plan.range)) },
      async respond() {
        const answer = await answerInsight(pool, snapshot, { query, plan, today })
        return answer && sealResponse(snapshot, answer, { range: plan.range, today, etag })
      },
    }
  }
  const range = resolveDateRange(query, today)
  refuseRange(range, today)
  // A type of health data is a parameter. The journal has a path.
  const operation = query.type === "journal" ? "/api/v1/journal" : "/api/v1/health"
  return {
    etag: entityTagOf(query, range, snapshot.dataVersion),
    logged: { operation, types: [query.type], ...(query.type !== "profile" && datesOf(range)) },
    async respond() {
      const choices = await readChoices(pool, snapshot, range)
      return choices && responseOf(query, snapshot, choices, { range, today })
    },
  }
}

const datesOf = ({ from, to }: DateRange) => ({ start_date: from, end_date: to })

/** @throws {InvalidRequest} for a range that cannot be answered */
function refuseRange(range: DateRange, today: string): void {
  const { from, to } = range
  const end = to === today ? `today, ${today}` : `end_date ${to}`
  if (from > to) throw new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
  if (countDates(range) <= DAYS.max) return
  const advice = "request several ranges one after the other"
  throw new InvalidRequest(`${from} to ${to} is more than ${DAYS.max} dates, ${advice}`, "start_date")
}
