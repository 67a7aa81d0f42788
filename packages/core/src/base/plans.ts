/** Plans a person can have. */
export const PLANS = ["free", "pro"] as const
export type Plan = (typeof PLANS)[number]

/** Requests per UTC calendar month of each plan, set by the operator. */
export type PlanLimits = Readonly<Record<Plan, number>>

/** The requests a person has left this month. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  /** First instant of the next UTC month. */
  readonly reset: Date
}

/** The first day of the UTC month of an instant, YYYY-MM-01. Requests are counted under this key. */
export const monthOf = (instant: Date): string => `${instant.toISOString().slice(0, 7)}-01`

/** The first instant of the next UTC month, when the quota resets. */
export const nextMonth = (instant: Date): Date =>
  new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth() + 1, 1))
