import { DAYS } from "@restwell/client"
import type { Clock } from "../calendar/clock.ts"
import { countDates, type DateRange } from "../calendar/date-range.ts"
import { InvalidRequest, NotFound, QuotaExceeded, type ServiceError, Unauthorized } from "../context/errors.ts"
import { nextMonth } from "../quota/month.ts"
import type { Quota } from "../quota/plans.ts"

/** A read that got no answer. The quota is missing where the credential is unknown. */
export interface RefusedRead {
  readonly outcome: "refused"
  readonly error: ServiceError
  readonly quota?: Quota
}

/** An answer as the bytes of its JSON. */
export interface AnsweredRead {
  readonly outcome: "answer"
  readonly bytes: Buffer
  readonly etag: string
  /** Records in the answer, 1 for a profile. */
  readonly recordCount: number
  readonly quota: Quota
}

export type HealthReading =
  | AnsweredRead
  | { readonly outcome: "not_modified"; readonly etag: string; readonly quota: Quota }
  | RefusedRead

/** What `used` counted reads leave of the month. */
export const quotaOf = (limit: number, used: number, clock: Clock): Quota => ({
  limit,
  remaining: Math.max(limit - used, 0),
  reset: nextMonth(clock.now()),
})

export const refuseUnknown = (): RefusedRead => ({
  outcome: "refused",
  error: new Unauthorized("invalid API key: it is unknown, or it was replaced in the dashboard"),
})

export const refuseUnconnected = (quota: Quota): RefusedRead => ({
  outcome: "refused",
  error: new NotFound("no health provider connected, connect one in the dashboard"),
  quota,
})

export const refuseOverQuota = (quota: Quota): RefusedRead => ({
  outcome: "refused",
  error: new QuotaExceeded(quota.limit, quota.reset),
  quota: { ...quota, remaining: 0 },
})

/** The fault of a range that cannot be answered, or undefined. */
export function rangeFault(range: DateRange, today: string): InvalidRequest | undefined {
  const { from, to } = range
  if (from > to) {
    const end = to === today ? `today, ${today}` : `end_date ${to}`
    return new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
  }
  if (countDates(range) <= DAYS.max) return undefined
  const advice = "request several ranges one after the other"
  return new InvalidRequest(`${from} to ${to} is more than ${DAYS.max} dates, ${advice}`, "start_date")
}
