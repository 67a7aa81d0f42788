import { createHash } from "node:crypto"
import type { RejectedRecord } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId } from "../context.ts"
import type { Database } from "./database.ts"

/** Keeps aside what did not have the vendor's documented shape, each payload once. */
export async function upsertRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly RejectedRecord[],
  seenAt: Date,
): Promise<void> {
  if (rejected.length === 0) return
  const rows = rejected.map(({ kind, providerId, reason, raw }) => {
    const payload = JSON.stringify(raw)
    const digest = createHash("sha256").update(payload).digest()
    return { user_id: userId, provider, kind, digest, provider_id: providerId, reason, raw: payload, seen_at: seenAt }
  })
  await transaction
    .insertInto("rejected_record")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["user_id", "provider", "kind", "digest"]).doNothing())
    .execute()
}
