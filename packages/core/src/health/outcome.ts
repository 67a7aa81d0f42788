import { DAYS } from "@restwell/client"
import type { Clock, Context } from "../context/context.ts"
import { InvalidRequest, NotFound, QuotaExceeded, type ServiceError, Unauthorized } from "../context/errors.ts"
import { nextMonth } from "../quota/month.ts"
import type { Quota } from "../quota/plans.ts"
import type { HealthRow } from "../store/read-health-rows.ts"

/** What is given instead of an answer. */
interface Unanswered {
  readonly not_modified: { readonly outcome: "not_modified"; readonly etag: string; readonly quota: Quota }
  readonly refused: { readonly outcome: "refused"; readonly error: ServiceError; readonly quota?: Quota }
  readonly peeked: { readonly outcome: "peeked"; readonly quota: Quota }
}

export type NoAnswer = Unanswered[keyof Unanswered]

/** What one of `nth` and more equal reads gets: an answer, as long as the month has room. */
export function outcomeOf(
  { clock }: Context,
  row: HealthRow,
  nth: number,
  charge: boolean,
): { readonly outcome: "answer"; readonly quota: Quota } | NoAnswer {
  if (row.outcome === "unauthorized")
    return {
      outcome: "refused",
      error: new Unauthorized("invalid API key: it is unknown, or was replaced in the dashboard"),
    }
  const { monthly_limit: limit, used } = row
  const quotaAt = (count: number): Quota => quotaOf(clock, limit, count)
  const overQuota = () => {
    const quota = quotaAt(limit)
    return { outcome: "refused", error: new QuotaExceeded(limit, quota.reset), quota } as const
  }
  switch (row.outcome) {
    case "peeked":
      return { outcome: "peeked", quota: quotaAt(used) }
    case "no_provider":
      return {
        outcome: "refused",
        error: new NotFound("no health provider connected, connect one in the dashboard"),
        quota: quotaAt(used),
      }
    case "invalid_range":
      return { outcome: "refused", error: rangeError(row.from_date, row.to_date, row.today), quota: quotaAt(used) }
    case "quota_exceeded":
      return overQuota()
    case "not_modified":
      return { outcome: "not_modified", etag: row.etag, quota: quotaAt(used) }
    case "answer":
      if (nth >= row.granted) return overQuota()
      return { outcome: "answer", quota: quotaAt(charge ? used + nth + 1 : used) }
  }
}

/** What so many counted reads leave of the month. */
export const quotaOf = (clock: Clock, limit: number, count: number): Quota => ({
  limit,
  remaining: Math.max(limit - count, 0),
  reset: nextMonth(clock.now()),
})

function rangeError(from: string, to: string, today: string): InvalidRequest {
  if (from > to)
    return new InvalidRequest(
      `start_date ${from} is after ${to === today ? `today, ${today}` : `end_date ${to}`}`,
      "start_date",
    )
  return new InvalidRequest(
    `${from} to ${to} is more than ${DAYS.max} dates, ask for several ranges one after the other`,
    "start_date",
  )
}
