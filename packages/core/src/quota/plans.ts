/** The plans of a person. Spec 8. */
export const PLANS = ["free", "pro"] as const
export type Plan = (typeof PLANS)[number]

/** Requests in a UTC calendar month, per plan; set by the operator. */
export type PlanLimits = Readonly<Record<Plan, number>>

/** What a person may still read this month. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  /** First instant of the next UTC month. */
  readonly reset: Date
}
