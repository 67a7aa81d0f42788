import { localDateOf, type NormalizedRecord } from "@restwell/providers"

/**
 * The date of a record that depends on no other record: a sleep's is the local date of waking, a workout's that of its start. The dates
 * of recoveries and cycles depend on their sleep and are derived when they are stored.
 */
export function ownDateOf(record: NormalizedRecord): string | undefined {
  switch (record.kind) {
    case "sleep":
      return localDateOf(record.endedAt, record.utcOffsetMinutes)
    case "workout":
      return localDateOf(record.startedAt, record.utcOffsetMinutes)
    default:
      return undefined
  }
}

export { BASELINE_NIGHTS, CYCLE_DATE_AFTER_START_MS, MIN_BASELINE_NIGHTS } from "@restwell/providers"
