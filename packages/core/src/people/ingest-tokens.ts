import { type Context, recordSecurityEvent } from "../context/context.ts"
import { Unauthorized } from "../context/errors.ts"
import { personTransaction } from "../store/database.ts"
import { generateApiKey, parseApiKey } from "./api-key.ts"
import { endNamed, requireRoom } from "./named-secrets.ts"

const KIND = { table: "ingest_token", word: "token" } as const
/** A phone may push every minute. */
const NOTE_USE_EVERY_SECONDS = 60

interface TokenRequest {
  readonly userId: string
  /** The device, in the person's words. */
  readonly name: string
  /** The visitor's network, for the security log. */
  readonly network?: string
}

/**
 * Makes a token for one device of the person. It can only push. Returns the token, which is not stored readable.
 * @throws {Conflict} when the person has too many
 */
export async function createIngestToken(
  context: Pick<Context, "database" | "clock">,
  { userId, name, network }: TokenRequest,
): Promise<{ readonly id: string; readonly token: string }> {
  const { text, keyHash, prefix } = generateApiKey("rwi_")
  return personTransaction(context.database, userId, async (transaction) => {
    await requireRoom(transaction, userId, KIND)
    const { id } = await transaction
      .insertInto("ingest_token")
      .values({
        user_id: userId,
        token_hash: Buffer.from(keyHash, "hex"),
        prefix,
        name,
        created_at: context.clock.now(),
        last_used_at: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow()
    const event = { type: "ingest_token_created" as const, detail: name, network }
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, event)
    return { id, token: text }
  })
}

/** The person's tokens, oldest first. */
export const listIngestTokens = ({ database }: Pick<Context, "database">, userId: string) =>
  database
    .selectFrom("ingest_token")
    .select(["id", "name", "prefix", "created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute()

/** Ends a token. No push with it is taken from the commit on. @throws {NotFound} when the person has no such token */
export const endIngestToken = (
  context: Pick<Context, "database" | "clock">,
  token: Pick<TokenRequest, "userId" | "network"> & { readonly id: string },
): Promise<void> => endNamed(context, token, { ...KIND, type: "ingest_token_ended" })

/** Who pushes, and with which token. */
export interface Pusher {
  readonly userId: string
  readonly tokenId: string
}

/** Returns whose token it is, and notes its use. @throws {Unauthorized} in words */
export async function openIngestToken(
  { database, clock }: Pick<Context, "database" | "clock">,
  token: string,
): Promise<Pusher> {
  const parsed = parseApiKey(token, "rwi_")
  if (!parsed) throw new Unauthorized(`invalid token: ${describeTokenError(token)}`)
  const found = await database
    .selectFrom("ingest_token")
    .select(["user_id as userId", "id as tokenId"])
    .where("token_hash", "=", Buffer.from(parsed.keyHash, "hex"))
    .executeTakeFirst()
  if (!found) throw new Unauthorized("invalid token: it was ended, make a new one on the page Connections")
  const now = clock.now()
  await database
    .updateTable("ingest_token")
    .set({ last_used_at: now })
    .where("user_id", "=", found.userId)
    .where("id", "=", found.tokenId)
    .where((row) =>
      row.or([
        row("last_used_at", "is", null),
        row("last_used_at", "<", new Date(now.getTime() - NOTE_USE_EVERY_SECONDS * 1_000)),
        row("last_used_at", ">", now),
      ]),
    )
    .execute()
  return found
}

function describeTokenError(token: string): string {
  if (token.startsWith("rw_")) return "this is the API key, which only reads. A token for pushes begins with rwi_"
  if (token.startsWith("rwi_")) return "it is incomplete or mistyped, copy it again or make a new one"
  return "a token for pushes begins with rwi_, make one on the page Connections"
}
