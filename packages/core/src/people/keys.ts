/* Keys with a name, which open a part of a person's data. The key that opens everything is api-key.ts's. */
import type { KeyRequest } from "@restwell/client"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { accountGone, InvalidRequest } from "../context/errors.ts"
import { personTransaction } from "../store/database.ts"
import { generateApiKey } from "./api-key.ts"
import { endNamed, endOf, requireRoom } from "./named-secrets.ts"

/** The key that opens everything has no name, and is none of these. */
const KIND = { table: "api_key", word: "key" } as const

interface KeyCall {
  readonly userId: string
  /** The visitor's network, for the security log. */
  readonly network?: string | undefined
}

/**
 * Makes a key. Returns its text, which is not stored readable.
 * @throws {Conflict} when the person has too many
 * @throws {InvalidRequest} when it would have ended already
 */
export async function createKey(
  context: Pick<Context, "database" | "clock">,
  { userId, network }: KeyCall,
  { name, types, days, expires_at: end }: KeyRequest,
): Promise<{ readonly id: string; readonly apiKey: string }> {
  const { text, keyHash, prefix } = generateApiKey()
  const now = context.clock.now()
  return personTransaction(context.database, userId, async (transaction) => {
    await requireRoom(transaction, userId, KIND)
    const { time_zone: timeZone, utc_offset_minutes: utcOffsetMinutes } = await transaction
      .selectFrom("person")
      .select(["time_zone", "utc_offset_minutes"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(accountGone)
    const expiresAt = end === null ? null : endOf(end, { timeZone, utcOffsetMinutes }, now)
    if (expiresAt !== null && expiresAt <= now)
      throw new InvalidRequest("expires_at must be in the future", "expires_at")
    const { id } = await transaction
      .insertInto("api_key")
      .values({
        user_id: userId,
        key_hash: Buffer.from(keyHash, "hex"),
        prefix,
        name,
        types: types && [...new Set(types)],
        days,
        expires_at: expiresAt,
        created_at: now,
        last_used_at: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow()
    const event = { type: "key_created" as const, detail: name, network }
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, event)
    return { id, apiKey: text }
  })
}

/** The person's keys with a name, oldest first. */
export const listKeys = ({ database }: Pick<Context, "database">, userId: string) =>
  database
    .selectFrom("api_key")
    .select(["id", "name", "prefix", "types", "days", "expires_at as expiresAt"])
    .select(["created_at as createdAt", "last_used_at as lastUsedAt"])
    .where("user_id", "=", userId)
    .where("name", "is not", null)
    .$narrowType<{ name: string }>()
    .orderBy("created_at")
    .orderBy("id")
    .execute()

/** Ends a key. No read with it is answered from the commit on. @throws {NotFound} when the person has no such key */
export const endKey = (
  context: Pick<Context, "database" | "clock">,
  key: KeyCall & { readonly id: string },
): Promise<void> => endNamed(context, key, { ...KIND, type: "key_ended" })
