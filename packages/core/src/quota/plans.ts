/** Plans a person can have. Spec 8. */
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
