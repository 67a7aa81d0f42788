import { revokeAtVendor } from "../connection/disconnect.ts"
import { lastAccessToken } from "../connection/vendor-grant.ts"
import type { Context } from "../context.ts"

/** Deletes a person with all that is stored of them, in one transaction; then the vendors are told. A sync in flight finds no connection and writes nothing. */
export async function deleteAccount(context: Context, userId: string): Promise<void> {
  const connections = await context.database
    .selectFrom("vendor_grant")
    .select("provider")
    .where("user_id", "=", userId)
    .execute()
  const grants = await Promise.all(
    connections.map(async ({ provider }) => ({
      connection: { userId, provider },
      accessToken: await lastAccessToken(context, { userId, provider }),
    })),
  )
  await context.database.deleteFrom("user").where("id", "=", userId).execute()
  for (const { connection, accessToken } of grants)
    if (accessToken !== undefined) await revokeAtVendor(context, connection, accessToken)
}
