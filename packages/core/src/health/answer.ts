import type * as client from "@restwell/client"
import { type DateRange, periodOf } from "../calendar/date-range.ts"
import type { ConnectedSnapshot } from "../store/read-health.ts"
import {
  presentAnswer,
  presentCycle,
  presentProfile,
  presentRecovery,
  presentSleep,
  presentWorkout,
} from "./present.ts"
import type { ReadType } from "./read-type.ts"
import { summarize } from "./summarize.ts"

export type HealthBody =
  | client.SummaryResponse
  | client.SleepResponse
  | client.RecoveryResponse
  | client.WorkoutResponse
  | client.CycleResponse
  | client.ProfileResponse
  | client.JournalResponse

const EMPTY_REASONS: Record<client.Source["status"], client.EmptyReason> = {
  ok: "no_data_in_range",
  syncing: "history_syncing",
  reauthorization_required: "reauthorization_required",
  vendor_unavailable: "vendor_unavailable",
  failing: "failing",
  archive: "no_data_in_range",
}

/** The body of the answer to one read. */
export function answerOf(type: ReadType, snapshot: ConnectedSnapshot, range: DateRange): HealthBody {
  const { facts, provider, status, lastSyncedAt } = snapshot
  const source = { provider, status, last_synced_at: lastSyncedAt?.toISOString() ?? null }
  const list = <Item>(records: Item[]) => {
    const empty_reason = records.length > 0 ? null : EMPTY_REASONS[status]
    return { records, count: records.length, empty_reason, source }
  }
  switch (type) {
    case "summary":
      return { period: periodOf(range, snapshot), ...summarize(facts), source }
    case "sleep":
      return list(facts.filter((fact) => fact.kind === "sleep").map(presentSleep))
    case "recovery":
      return list(facts.filter((fact) => fact.kind === "recovery").map(presentRecovery))
    case "workout":
      return list(facts.filter((fact) => fact.kind === "workout").map(presentWorkout))
    case "cycle":
      return list(facts.filter((fact) => fact.kind === "cycle").map(presentCycle))
    case "journal":
      return { ...list(snapshot.answers.map((answer) => presentAnswer(answer, provider))), sources: [source] }
    case "profile":
      return { ...presentProfile(snapshot.profile), source }
  }
}
