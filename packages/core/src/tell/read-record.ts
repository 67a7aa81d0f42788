// A record as REST answers it now, for the events about it.
import { PROVIDERS } from "@restwell/client"
import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import { z } from "zod"
import type { Context } from "../context/context.ts"
import { prepareRecords } from "../read/prepare-response.ts"
import { bodyOf } from "../read/response-cache.ts"
import { readHealthSnapshot } from "../store/statements/read-health.ts"

export interface RecordName {
  readonly userId: string
  readonly source: string
  readonly kind: RecordKind
  /** The vendor's id. */
  readonly recordId: string
  /** The id in answers. */
  readonly id: string | null
}

type PresentedRecord = Readonly<Record<string, unknown>>

const ListSchema = z.object({ records: z.array(z.record(z.string(), z.unknown())) })

/** Returns the record of `/api/v1/health?source=` of its source. Null for one that is gone, or whose source was disconnected. */
export async function readRecord(
  { database, clock, pool }: Pick<Context, "database" | "clock"> & { readonly pool: Pool },
  { userId, source: name, kind, recordId, id }: RecordName,
): Promise<PresentedRecord | null> {
  const source = PROVIDERS.find((provider) => provider === name)
  if (source === undefined) return null
  const stored = await database
    .selectFrom("record")
    .select("date")
    .where("user_id", "=", userId)
    .where("provider", "=", source)
    .where("kind", "=", kind)
    .where("provider_id", "=", recordId)
    .executeTakeFirst()
  if (!stored?.date) return null
  const { date } = stored
  const range = { from: date, to: date }
  const wanted = { kinds: [kind], range, source, profile: false, allRecords: false, knownVersions: [] }
  const snapshot = await readHealthSnapshot(pool, { userId }, wanted, clock.now())
  const [first, ...others] = snapshot?.sources ?? []
  if (!snapshot || !first) return null
  const query = { type: kind, start_date: date, end_date: date, source }
  const connected = { ...snapshot, sources: [first, ...others] as const }
  const response = await prepareRecords(pool, { query, limits: undefined, note: undefined }, connected, date).respond()
  if (!response) return null
  const { records } = ListSchema.parse(bodyOf(response.bytes))
  return records.find((record) => (kind === "recovery" ? record["cycle_id"] : record["id"]) === id) ?? null
}
