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
import type { HealthAnswerRow, HealthFact } from "../store/read-health-rows.ts"
import { periodOf } from "./days.ts"
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

/** The answer to one read, from what the store gave for it. */
export function answer(type: HealthType, row: HealthAnswerRow): HealthBody {
  const source: Source = {
    provider: row.provider,
    status: row.status,
    last_synced_at: row.last_synced_at?.toISOString() ?? null,
  }
  switch (type) {
    case "summary":
      return { period: periodOf(row.from_date, row.to_date, placeOf(row)), ...summarize(row.records), source }
    case "sleep":
      return list(ofKind(row.records, "sleep").map(presentSleep), source)
    case "recovery":
      return list(ofKind(row.records, "recovery").map(presentRecovery), source)
    case "workout":
      return list(ofKind(row.records, "workout").map(presentWorkout), source)
    case "cycle":
      return list(ofKind(row.records, "cycle").map(presentCycle), source)
    case "profile":
      return { ...presentProfile(row.profile), source }
  }
}

const placeOf = (row: HealthAnswerRow) => ({ utcOffsetMinutes: row.utc_offset_minutes, timeZone: row.time_zone })

const ofKind = <Kind extends HealthFact["kind"]>(facts: readonly HealthFact[], kind: Kind) =>
  facts.filter((fact): fact is Extract<HealthFact, { kind: Kind }> => fact.kind === kind)

const list = <Item>(records: Item[], source: Source) => ({
  records,
  count: records.length,
  empty_reason: records.length > 0 ? null : EMPTY_REASONS[source.status],
  source,
})
