import type { CompareResponse } from "../rest/compare.ts"
import type { CycleResponse } from "../rest/cycle.ts"
import type { JournalResponse } from "../rest/journal.ts"
import type { MetricsResponse } from "../rest/metric.ts"
import type { ProfileResponse } from "../rest/profile.ts"
import type { RecoveryResponse } from "../rest/recovery.ts"
import type { RelateResponse } from "../rest/relate.ts"
import type { SleepResponse } from "../rest/sleep.ts"
import type { SummaryResponse } from "../rest/summary.ts"
import type { TrendResponse } from "../rest/trend.ts"
import type { WorkoutResponse } from "../rest/workout.ts"
import type { DateRange } from "./date-range.ts"
import type { CompareQuestion, MetricsQuestion, RelateQuestion, TrendQuestion } from "./insight-questions.ts"
import type { Quota } from "./quota.ts"

/** The result of a call. `data` is exactly the body of the API, to be stored or passed on as it is. */
export interface Answer<T> {
  readonly data: T
  /** The monthly quota after this call; null when the response has no quota headers. */
  readonly quota: Quota | null
  /** True when the service replied 304: nothing changed since the last call. Not counted against the quota. */
  readonly notModified: boolean
}

export interface CallOptions {
  /** Ends this call, including its waits, when it aborts. The call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Reads one person's health data. Every method sends a request each time, and throws a HealthApiError when it fails. */
export interface HealthClient {
  /** The monthly quota from the latest response, failed ones included; null before the first. */
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
  /** Answers of the journal and tags, newest first. A factor that a date lacks was not answered: that is not a no. */
  journal(range?: DateRange, options?: CallOptions): Promise<Answer<JournalResponse>>
  /** Every metric, and which sources have values of which dates. */
  metrics(question?: MetricsQuestion, options?: CallOptions): Promise<Answer<MetricsResponse>>
  /** One metric over a period: figures, slope and verdict. */
  trend(question: TrendQuestion, options?: CallOptions): Promise<Answer<TrendResponse>>
  /** The difference of one metric between two periods. */
  compare(question: CompareQuestion, options?: CallOptions): Promise<Answer<CompareResponse>>
  /** How a metric or a factor of the journal goes with an outcome, or without a factor each of all. */
  relate(question: RelateQuestion, options?: CallOptions): Promise<Answer<RelateResponse>>
  /** Name and e-mail address at the provider, and body measurements. */
  profile(options?: CallOptions): Promise<Answer<ProfileResponse>>
}
