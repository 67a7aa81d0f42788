import type { CycleResponse } from "../rest/cycle.ts"
import type { ProfileResponse } from "../rest/profile.ts"
import type { RecoveryResponse } from "../rest/recovery.ts"
import type { SleepResponse } from "../rest/sleep.ts"
import type { SummaryResponse } from "../rest/summary.ts"
import type { WorkoutResponse } from "../rest/workout.ts"
import type { DateRange } from "./date-range.ts"
import type { Quota } from "./quota.ts"

/**
 * What a call returns. `data` is the API's body and nothing else, so that it can be stored or passed on as it is; what belongs
 * to the exchange stands beside it.
 */
export interface Answer<T> {
  readonly data: T
  /** The month's requests after this answer; null when the answer did not tell. */
  readonly quota: Quota | null
  /** True when the service confirmed by a 304 that nothing changed since this client last asked. Not counted against the month. */
  readonly notModified: boolean
}

export interface CallOptions {
  /** Ends this call, its waits included, when it aborts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads one person's health data. Every method asks the service each time and throws a HealthApiError when there is no answer
 * to give.
 */
export interface HealthClient {
  /** The month's requests as last told by any answer, failed ones too; null before the first. */
  readonly quota: Quota | null
  /** Averages and sums over the range. */
  summary(range?: DateRange, options?: CallOptions): Promise<Answer<SummaryResponse>>
  /** Sleeps, naps included, newest first. */
  sleep(range?: DateRange, options?: CallOptions): Promise<Answer<SleepResponse>>
  /** Recoveries, newest first. */
  recovery(range?: DateRange, options?: CallOptions): Promise<Answer<RecoveryResponse>>
  /** Workouts, newest first. */
  workouts(range?: DateRange, options?: CallOptions): Promise<Answer<WorkoutResponse>>
  /** Physiological cycles, newest first. */
  cycles(range?: DateRange, options?: CallOptions): Promise<Answer<CycleResponse>>
  /** Who the person is to the provider, and their body measurements. */
  profile(options?: CallOptions): Promise<Answer<ProfileResponse>>
}
