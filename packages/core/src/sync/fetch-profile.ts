import type { NormalizedProfile } from "@restwell/providers"
import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { withAccessToken } from "./with-access-token.ts"

/** Who the person is to the vendor. */
export function fetchProfile(context: Context, connection: ConnectionId): Promise<NormalizedProfile> {
  const adapter = adapterOf(context, connection.provider)
  return withAccessToken(context, connection, (accessToken) => adapter.fetchProfile(accessToken))
}
