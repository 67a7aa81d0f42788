import type { NormalizedProfile } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { wipeRecords } from "./wipe-records.ts"

/**
 * Stores the vendor's profile of the person. If it is another member than before, the stored records belong to somebody else and are
 * deleted. After a new connect only the stored profile knows the former member.
 */
export async function storeProfile(
  transaction: Transaction<Database>,
  connection: ConnectionId,
  profile: NormalizedProfile,
  fetchedAt: Date,
): Promise<void> {
  const { userId, provider } = connection
  const memberId = profile.data.providerId
  const stored = await transaction
    .selectFrom("connection")
    .select(
      sql<string | null>`coalesce(member_id, (
        select f.data ->> 'providerId' from restwell.profile f where f.user_id = ${userId} and f.provider = ${provider}))`.as(
        "formerMember",
      ),
    )
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forUpdate()
    .executeTakeFirst()
  if (stored && stored.formerMember !== null && stored.formerMember !== memberId)
    await wipeRecords(transaction, connection)
  const values = {
    data: JSON.stringify(profile.data),
    raw: JSON.stringify(profile.raw),
    fetched_at: fetchedAt,
    from_archive: false,
  }
  await transaction
    .insertInto("profile")
    .values({ user_id: userId, provider, ...values })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(values))
    .execute()
  await transaction
    .updateTable("connection")
    .set({ member_id: memberId })
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}
