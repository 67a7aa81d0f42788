import { CompareResponseSchema } from "../rest/compare.ts"
import { CycleResponseSchema } from "../rest/cycle.ts"
import { JournalResponseSchema } from "../rest/journal.ts"
import { MetricsResponseSchema } from "../rest/metric.ts"
import { ProfileResponseSchema } from "../rest/profile.ts"
import { RecoveryResponseSchema } from "../rest/recovery.ts"
import { RelateResponseSchema } from "../rest/relate.ts"
import { SleepResponseSchema } from "../rest/sleep.ts"
import { SummaryResponseSchema } from "../rest/summary.ts"
import { TrendResponseSchema } from "../rest/trend.ts"
import { WorkoutResponseSchema } from "../rest/workout.ts"
import type { HealthClient } from "./health-client.ts"
import { insightUrl } from "./insight-questions.ts"
import type { Quota } from "./quota.ts"
import { readHealth, readUrl } from "./read-health.ts"
import { createResponseCache } from "./response-cache.ts"
import { type ClientOptions, readSettings } from "./settings.ts"

/**
 * Returns a client of the service at `baseUrl`. Throws a TypeError that names an invalid option.
 * The key stays in this closure, so that printing, serialising or inspecting the client cannot reveal it.
 */
export function createClient(options: ClientOptions): HealthClient {
  const settings = readSettings(options)
  let lastQuota: Quota | null = null
  const onQuota = (quota: Quota) => {
    lastQuota = quota
    settings.onQuota(quota)
  }
  const context = { settings: { ...settings, onQuota }, cache: createResponseCache(settings.maxKeptAnswers) }
  const client: HealthClient = {
    get quota() {
      return lastQuota
    },
    summary: (range, call) => readHealth(context, { type: "summary", schema: SummaryResponseSchema, range, ...call }),
    sleep: (range, call) => readHealth(context, { type: "sleep", schema: SleepResponseSchema, range, ...call }),
    recovery: (range, call) =>
      readHealth(context, { type: "recovery", schema: RecoveryResponseSchema, range, ...call }),
    workouts: (range, call) => readHealth(context, { type: "workout", schema: WorkoutResponseSchema, range, ...call }),
    cycles: (range, call) => readHealth(context, { type: "cycle", schema: CycleResponseSchema, range, ...call }),
    journal: (range, call) => readHealth(context, { type: "journal", schema: JournalResponseSchema, range, ...call }),
    metrics: (question = {}, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "metrics", question), { schema: MetricsResponseSchema, ...call }),
    trend: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "trend", question), { schema: TrendResponseSchema, ...call }),
    compare: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "compare", question), { schema: CompareResponseSchema, ...call }),
    relate: (question, call) =>
      readUrl(context, insightUrl(settings.baseUrl, "relate", question), { schema: RelateResponseSchema, ...call }),
    profile: (call) => readHealth(context, { type: "profile", schema: ProfileResponseSchema, ...call }),
  }
  return Object.freeze(client)
}
