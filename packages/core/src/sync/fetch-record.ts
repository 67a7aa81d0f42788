import type { VendorSession } from "../connection/vendor-session.ts"
import type { Context } from "../context/context.ts"
import type { RecordKey } from "../store/delete-records.ts"
import type { Fetched } from "./fetched.ts"
import { withLostParts } from "./lost-parts.ts"

/** Reads one record. It counts as deleted when the vendor does not have it, and refuses nothing on the way. */
export async function fetchRecord(
  context: Pick<Context, "database">,
  session: VendorSession,
  key: RecordKey,
): Promise<Fetched> {
  const { records, rejected, gaps = [] } = await session.fetchRecord(key)
  const isGone = records.length === 0 && rejected.length === 0 && gaps.length === 0
  return withLostParts(context, session, { records, rejected, deleted: isGone ? [key] : [], gaps })
}
