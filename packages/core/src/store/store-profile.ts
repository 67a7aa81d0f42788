import type { NormalizedProfile } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"
import { wipeRecords } from "./wipe-records.ts"

/**
 * Stores the vendor's profile of the person. If it is another member than before, the stored records belong to somebody else and are
 * deleted.
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
    .select("member_id")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forUpdate()
    .executeTakeFirst()
  if (stored && stored.member_id !== null && stored.member_id !== memberId) await wipeRecords(transaction, connection)
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
