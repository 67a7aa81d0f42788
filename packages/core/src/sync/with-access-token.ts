import { AccessTokenRejected } from "@restwell/providers"
import { freshAccessToken } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"

/** Makes a vendor call with a good access token; a token the vendor refuses is refreshed once, and the call made once more. */
export async function withAccessToken<Result>(
  context: Context,
  connection: ConnectionId,
  call: (accessToken: string) => Promise<Result>,
): Promise<Result> {
  const accessToken = await freshAccessToken(context, connection)
  try {
    return await call(accessToken)
  } catch (error) {
    if (!(error instanceof AccessTokenRejected)) throw error
    return call(await freshAccessToken(context, connection, accessToken))
  }
}
