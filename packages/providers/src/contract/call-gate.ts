/** What a vendor call is for, most urgent first. */
export const CALL_PURPOSES = ["person", "event", "reconciliation", "refresh", "request", "history"] as const
export type CallPurpose = (typeof CALL_PURPOSES)[number]

/** Purposes that bring nothing a person would miss by tomorrow: syncs they request, and their past. */
export const SPARE_PURPOSES: readonly CallPurpose[] = ["request", "history"]

/** Every call to a vendor passes the gate. All users of an app share one budget, in every process. */
export interface CallGate {
  /** Resolves when a call may be made. @throws {RateLimited} when the wait would be too long */
  acquire(): Promise<void>
  /** Takes the limits that the vendor reported with an answer. */
  report(limits: ReportedLimits): Promise<void>
}

export interface ReportedLimits {
  /** Calls left in the window that ends first. */
  readonly remaining: number
  /** Seconds until that window resets. */
  readonly resetSeconds: number
}
