import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import type { RecordKey } from "../store/delete-records.ts"
import type { Fetched } from "./ingest.ts"
import { withAccessToken } from "./with-access-token.ts"

/** A record as the vendor has it now; as deleted when it has it no more. */
export async function fetchRecord(context: Context, connection: ConnectionId, key: RecordKey): Promise<Fetched> {
  const adapter = adapterOf(context, connection.provider)
  const page = await withAccessToken(context, connection, (accessToken) => adapter.fetchRecord(accessToken, key))
  const isGone = page.records.length === 0 && page.rejected.length === 0
  return { records: page.records, rejected: page.rejected, deleted: isGone ? [key] : [] }
}
