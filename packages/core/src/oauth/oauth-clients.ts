import { sql } from "kysely"
import { z } from "zod"
import type { Context } from "../context/context.ts"

/** Clients that registered themselves. RFC 7591. Their secrets are sealed. */
export interface OauthClients {
  put(clientId: string, metadata: Readonly<Record<string, unknown>>): Promise<void>
  /** Undefined as well for one whose secret was sealed under a secret of the service that is gone: it registers anew. */
  find(clientId: string): Promise<Record<string, unknown> | undefined>
  remove(clientId: string): Promise<void>
  /** Keeps a client from being swept away. */
  touch(clientId: string): Promise<void>
}

/** Never-used registrations that are kept at most, on the whole service: the oldest go first. */
const MOST_UNUSED = 10_000
const MetadataSchema = z.record(z.string(), z.unknown())
const SecretSchema = z.string().optional()

/** What a sealed secret belongs to: it opens for no other client. */
export const secretBelongsTo = (clientId: string): string => `oauth-client/${clientId}`

export function createOauthClients({
  database,
  clock,
  cipher,
  logger,
}: Pick<Context, "database" | "clock" | "cipher" | "logger">): OauthClients {
  return {
    async put(clientId, { client_secret, ...metadata }) {
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
          order by created_at desc offset ${MOST_UNUSED})
      `.execute(database)
    },
    async find(clientId) {
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
        logger.warn({ clientId, err: error }, "a client's secret cannot be opened any more")
        return undefined
      }
    },
    async remove(clientId) {
      await database.deleteFrom("oauth_client").where("client_id", "=", clientId).execute()
    },
    async touch(clientId) {
      const now = clock.now()
      await database
        .updateTable("oauth_client")
        .set({ last_used_at: now })
        .where("client_id", "=", clientId)
        .where((where) =>
          where.or([
            where("last_used_at", "is", null),
            where("last_used_at", "<", new Date(now.getTime() - 3_600_000)),
          ]),
        )
        .execute()
    },
  }
}
