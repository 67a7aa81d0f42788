import type { NormalizedProfile } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId } from "../context.ts"
import type { Database } from "./database.ts"

/** Stores who the person is to the vendor; there is one. */
export async function upsertProfile(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  profile: NormalizedProfile,
  fetchedAt: Date,
): Promise<void> {
  const values = { data: JSON.stringify(profile.data), raw: JSON.stringify(profile.raw), fetched_at: fetchedAt }
  await transaction
    .insertInto("profile")
    .values({ user_id: userId, provider, ...values })
    .onConflict((conflict) => conflict.columns(["user_id", "provider"]).doUpdateSet(values))
    .execute()
}
