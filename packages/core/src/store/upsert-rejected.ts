import { createHash } from "node:crypto"
import type { RejectedRecord } from "@restwell/providers"
import type { Transaction } from "kysely"
import type { ConnectionId } from "./connection.ts"
import type { Database } from "./database.ts"

/** Stores payloads that lack the vendor's documented shape: the newest one of each record, and each one without an id once. */
export async function upsertRejected(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  rejected: readonly RejectedRecord[],
  { seenAt, version }: { readonly seenAt: Date; readonly version: string },
): Promise<void> {
  if (rejected.length === 0) return
  const rows = rejected.map(({ kind, providerId, reason, raw }) => {
    const payload = JSON.stringify(raw)
    const digest = createHash("sha256").update(payload).digest()
    const key = { user_id: userId, provider, kind, digest, provider_id: providerId }
    return { ...key, reason, raw: payload, seen_at: seenAt, retried_by: version }
  })
  await transaction
    .insertInto("rejected_record")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["user_id", "provider", "kind", "digest"]).doNothing())
    .execute()
  for (const { kind, provider_id, digest } of rows)
    if (provider_id !== null)
      await transaction
        .deleteFrom("rejected_record")
        .where("user_id", "=", userId)
        .where("provider", "=", provider)
        .where("kind", "=", kind)
        .where("provider_id", "=", provider_id)
        .where("digest", "!=", digest)
        .execute()
}
