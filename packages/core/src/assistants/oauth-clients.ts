import { HOUR_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { z } from "zod"
import type { Context } from "../context/context.ts"

/** At most this many clients that were never used; the oldest are deleted first. */
const MAX_UNUSED_CLIENTS = 10_000
const MetadataSchema = z.record(z.string(), z.unknown())
const SecretSchema = z.string().optional()

/** The context a client's secret is encrypted with, so that it opens for no other client. */
export const secretBelongsTo = (clientId: string): string => `oauth-client/${clientId}`

export type OauthClients = ReturnType<typeof createOauthClients>

/** Clients that registered themselves. RFC 7591. Their secrets are stored encrypted. */
export function createOauthClients(context: Pick<Context, "database" | "clock" | "cipher" | "logger">) {
  const { database, clock, cipher, logger } = context
  return {
    async put(clientId: string, { client_secret, ...metadata }: Readonly<Record<string, unknown>>): Promise<void> {
      const secret = SecretSchema.parse(client_secret)
      const sealed = secret === undefined ? undefined : cipher.seal(secret, secretBelongsTo(clientId))
      await database
        .insertInto("oauth_client")
        .values({
          client_id: clientId,
          metadata: JSON.stringify(metadata),
          secret_key_id: sealed?.keyId ?? null,
          secret: sealed?.bytes ?? null,
          created_at: clock.now(),
          last_used_at: null,
        })
        .execute()
      await sql`
        delete from restwell.oauth_client where client_id in (
          select client_id from restwell.oauth_client where last_used_at is null
          order by created_at desc offset ${MAX_UNUSED_CLIENTS})
      `.execute(database)
    },
    /** Also undefined if the client's secret can no longer be decrypted. Such a client has to register again. */
    async find(clientId: string): Promise<Record<string, unknown> | undefined> {
      const row = await database
        .selectFrom("oauth_client")
        .selectAll()
        .where("client_id", "=", clientId)
        .executeTakeFirst()
      if (!row) return undefined
      const metadata = MetadataSchema.parse(row.metadata)
      if (row.secret === null || row.secret_key_id === null) return metadata
      try {
        const secret = cipher.open({ keyId: row.secret_key_id, bytes: row.secret }, secretBelongsTo(clientId))
        return { ...metadata, client_secret: secret }
      } catch (error) {
        logger.warn({ clientId, err: error }, "a client's secret can no longer be decrypted")
        return undefined
      }
    },
    async remove(clientId: string): Promise<void> {
      await database.deleteFrom("oauth_client").where("client_id", "=", clientId).execute()
    },
    /** Notes that a client is in use, so that it is not swept. */
    async touch(clientId: string): Promise<void> {
      const now = clock.now()
      await database
        .updateTable("oauth_client")
        .set({ last_used_at: now })
        .where("client_id", "=", clientId)
        .where((where) =>
          where.or([where("last_used_at", "is", null), where("last_used_at", "<", new Date(now.getTime() - HOUR_MS))]),
        )
        .execute()
    },
  }
}
