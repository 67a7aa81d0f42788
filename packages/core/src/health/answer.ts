import type {
  CycleResponse,
  EmptyReason,
  HealthType,
  ProfileResponse,
  RecoveryResponse,
  SleepResponse,
  Source,
  SummaryResponse,
  WorkoutResponse,
} from "@restwell/client"
import { type DateRange, periodOf } from "../calendar/date-range.ts"
import { factsOfKind } from "../store/health-fact.ts"
import type { ConnectedSnapshot } from "../store/read-health.ts"
import { presentCycle, presentProfile, presentRecovery, presentSleep, presentWorkout } from "./present.ts"
import { summarize } from "./summarize.ts"

export type HealthBody =
  | SummaryResponse
  | SleepResponse
  | RecoveryResponse
  | WorkoutResponse
  | CycleResponse
  | ProfileResponse

const EMPTY_REASONS: Record<Source["status"], EmptyReason> = {
  ok: "no_data_in_range",
  syncing: "history_syncing",
  reauthorization_required: "reauthorization_required",
  vendor_unavailable: "vendor_unavailable",
}

/** The body of the answer to one read. */
export function answerOf(type: HealthType, snapshot: ConnectedSnapshot, range: DateRange): HealthBody {
  const { facts, provider, status, lastSyncedAt } = snapshot
  const source = { provider, status, last_synced_at: lastSyncedAt?.toISOString() ?? null }
  switch (type) {
    case "summary":
      return { period: periodOf(range, snapshot), ...summarize(facts), source }
    case "sleep":
      return list(factsOfKind(facts, "sleep").map(presentSleep), source)
    case "recovery":
      return list(factsOfKind(facts, "recovery").map(presentRecovery), source)
    case "workout":
      return list(factsOfKind(facts, "workout").map(presentWorkout), source)
    case "cycle":
      return list(factsOfKind(facts, "cycle").map(presentCycle), source)
    case "profile":
      return { ...presentProfile(snapshot.profile), source }
  }
}

const list = <Item>(records: Item[], source: Source) => ({
  records,
  count: records.length,
  empty_reason: records.length > 0 ? null : EMPTY_REASONS[source.status],
  source,
})
