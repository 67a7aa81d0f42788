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
import { periodOf } from "../calendar/days.ts"
import { factsOf, type HealthAnswerRow, type HealthFact } from "../store/read-health-rows.ts"
import { presentCycle, presentProfile, presentRecovery, presentSleep, presentWorkout } from "./present.ts"
import { isList, shownRecords } from "./shown.ts"
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
  const records = factsOf(row)
  const source = sourceOf(row)
  switch (type) {
    case "summary":
      return { period: periodOf(row.from_date, row.to_date, placeOf(row)), ...summarize(records), source }
    case "sleep":
      return list(ofKind(records, "sleep").map(presentSleep), source)
    case "recovery":
      return list(ofKind(records, "recovery").map(presentRecovery), source)
    case "workout":
      return list(ofKind(records, "workout").map(presentWorkout), source)
    case "cycle":
      return list(ofKind(records, "cycle").map(presentCycle), source)
    case "profile":
      return { ...presentProfile(row.profile), source }
  }
}

/** The same as the bytes of its JSON. Records of a list were shown when they were stored. */
export function answerBytes(type: HealthType, row: HealthAnswerRow): Buffer {
  if (!isList(type)) return ownBytes(JSON.stringify(answer(type, row)))
  const end = JSON.stringify(listEnd(row.record_count, sourceOf(row)))
  return ownBytes(`{"records":[${shownRecords(row)}],${end.slice(1)}`)
}

/**
 * Bytes in memory of their own. `Buffer.from` cuts them out of 64 KiB that others share, and a short body that is held would hold all of that.
 * @see https://nodejs.org/api/buffer.html#static-method-bufferallocunsafesize
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

const sourceOf = (row: HealthAnswerRow): Source => ({
  provider: row.provider,
  status: row.status,
  last_synced_at: row.last_synced_at?.toISOString() ?? null,
})

const placeOf = (row: HealthAnswerRow) => ({ utcOffsetMinutes: row.utc_offset_minutes, timeZone: row.time_zone })

const ofKind = <Kind extends HealthFact["kind"]>(facts: readonly HealthFact[], kind: Kind) =>
  facts.filter((fact): fact is Extract<HealthFact, { kind: Kind }> => fact.kind === kind)

const list = <Item>(records: Item[], source: Source) => ({ records, ...listEnd(records.length, source) })

const listEnd = (count: number, source: Source) => ({
  count,
  empty_reason: count > 0 ? null : EMPTY_REASONS[source.status],
  source,
})
