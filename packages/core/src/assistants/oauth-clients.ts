import { HOUR_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { z } from "zod"
import { type Sealed, UnreadableSecret } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"
import { UnusableDatabase } from "../store/migrate.ts"

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

const PURPOSE = "oauth"

/** The context a signing key is encrypted with. @param purpose the id of its row */
export const signingKeyBelongsTo = (purpose: string): string => `signing-key/${purpose}`

const BELONGS_TO = signingKeyBelongsTo(PURPOSE)

type Store = Pick<Context, "database" | "cipher">

/** The authorization server's signing key, one for all replicas, stored encrypted. @param make returns a new key as text */
export async function readSigningKey(context: Store & Pick<Context, "clock">, make: () => string): Promise<string> {
  return (await findSigningKey(context)) ?? context.cipher.open(await store(context, make()), BELONGS_TO)
}

/**
 * The stored signing key. Undefined before the first start of a service, which stores one. A process with another secret than that of the
 * database could open no vendor token either, and would end every connection that it syncs.
 * @throws {UnusableDatabase} when none of the secrets decrypts it
 */
export async function findSigningKey(context: Store): Promise<string | undefined> {
  const stored = await findSealed(context)
  try {
    return stored && context.cipher.open(stored, BELONGS_TO)
  } catch (cause) {
    if (!(cause instanceof UnreadableSecret)) throw cause
    throw new UnusableDatabase(
      "this database was encrypted with another secret",
      "start with that one as RESTWELL_SECRET, or add it to RESTWELL_FORMER_SECRETS. " +
        "If it is lost, run: restwell re-encrypt --forget-lost-secret. People must then connect their devices and sign in again. Nothing was changed",
      { cause },
    )
  }
}

/** Deletes the signing key. The next start makes one: it signs only identity tokens, which are valid for minutes. */
export async function forgetSigningKey({ database }: Pick<Store, "database">): Promise<void> {
  await database.deleteFrom("signing_key").where("id", "=", PURPOSE).execute()
}

async function findSealed({ database }: Pick<Context, "database">): Promise<Sealed | undefined> {
  const row = await database.selectFrom("signing_key").selectAll().where("id", "=", PURPOSE).executeTakeFirst()
  return row && { keyId: row.key_id, bytes: row.sealed }
}

/** Stores a new key. Returns the key of another process if that one was first. */
async function store(context: Pick<Context, "database" | "clock" | "cipher">, key: string): Promise<Sealed> {
  const { keyId, bytes } = context.cipher.seal(key, BELONGS_TO)
  await context.database
    .insertInto("signing_key")
    .values({ id: PURPOSE, key_id: keyId, sealed: bytes, created_at: context.clock.now() })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute()
  const stored = await findSealed(context)
  if (!stored) throw new Error("the signing key was not stored")
  return stored
}
