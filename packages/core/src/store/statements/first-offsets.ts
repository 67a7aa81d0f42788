// Local times of records whose vendor names only the zone of now: after a journey it would move all nights of the days before.
import type { NormalizedCycle, NormalizedRecord, NormalizedSleep } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "../connection-tables.ts"
import type { Database } from "../database.ts"
import { textOf } from "./delete-records.ts"

type Offsets = Pick<NormalizedSleep, "utcOffsetMinutes" | "startUtcOffsetMinutes" | "endUtcOffsetMinutes">

interface FirstRead {
  readonly kind: NormalizedRecord["kind"]
  readonly providerId: string
  readonly startedAt: Date
  readonly endedAt: Date | null
  readonly offsets: Offsets & Pick<NormalizedCycle, "isOffsetUnknown">
}

/** Returns the records with the offsets of their first reading, where they were stored before. A day also keeps where it began and ended. */
export async function withFirstOffsets(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  records: readonly NormalizedRecord[],
): Promise<readonly NormalizedRecord[]> {
  const ids = records.flatMap(({ keepsFirstOffset, providerId }) => (keepsFirstOffset ? [providerId] : []))
  if (ids.length === 0) return records
  const rows: FirstRead[] = await transaction
    .selectFrom("record")
    .select([
      "kind",
      "provider_id as providerId",
      "started_at as startedAt",
      "ended_at as endedAt",
      sql<FirstRead["offsets"]>`detail`.as("offsets"),
    ])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("provider_id", "in", ids)
    .where("from_archive", "=", false)
    .$narrowType<{ startedAt: Date }>()
    .execute()
  const stored = new Map(rows.map((row) => [textOf(row), row]))
  return records.map((record) => {
    const first = record.keepsFirstOffset && stored.get(textOf(record))
    // Where the first reading knew none, each later one knows as much.
    if (!first || first.offsets.isOffsetUnknown || (record.kind !== "sleep" && record.kind !== "cycle")) return record
    return record.kind === "sleep" ? withFirstNight(record, first) : withFirstDay(record, first)
  })
}

const withFirstNight = ({ isOffsetUnknown: _, ...record }: NormalizedSleep, first: FirstRead): NormalizedSleep => ({
  ...record,
  ...offsetsOf(first),
})

const offsetsOf = ({ offsets }: FirstRead): Offsets => ({
  utcOffsetMinutes: offsets.utcOffsetMinutes,
  ...(offsets.startUtcOffsetMinutes !== undefined && { startUtcOffsetMinutes: offsets.startUtcOffsetMinutes }),
  ...(offsets.endUtcOffsetMinutes !== undefined && { endUtcOffsetMinutes: offsets.endUtcOffsetMinutes }),
})

/** A day that went on when it was stored ends where the person is now. */
function withFirstDay({ isOffsetUnknown: _, ...record }: NormalizedCycle, first: FirstRead): NormalizedCycle {
  const { utcOffsetMinutes } = first.offsets
  const begun = {
    ...record,
    startMs: first.startedAt.getTime(),
    utcOffsetMinutes,
    ...(record.startUtcOffsetMinutes !== undefined && { startUtcOffsetMinutes: utcOffsetMinutes }),
  }
  if (first.endedAt) return { ...begun, ...offsetsOf(first), endMs: first.endedAt.getTime() }
  return begun
}
