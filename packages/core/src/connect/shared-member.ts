import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { type Database, lockPerson } from "../store/database.ts"
import { applyEvent, isActive } from "./connection-status.ts"

/** Another account's active connection to the same member of a vendor. */
interface OtherConnection extends ConnectionId {
  readonly generation: string
  readonly connectedAt: Date
}

/**
 * Returns the connections because of which this one may not have the member: none if the operator allows sharing, or if it has the member
 * already. Locks the member until the transaction ends, so that of two simultaneous connects one finds the other. Call it before the
 * transaction locks a row.
 */
export async function findOtherConnections(
  transaction: Transaction<Database>,
  context: Context,
  { userId, provider }: ConnectionId,
  memberId: string,
): Promise<readonly OtherConnection[]> {
  if (context.sharedVendorAccounts === "allow") return []
  await sql`select pg_advisory_xact_lock(hashtext('restwell.member'), hashtext(${`${provider}/${memberId}`}))`.execute(
    transaction,
  )
  const { rows } = await sql<OtherConnection>`
    select c.user_id as "userId", c.provider, c.generation, c.connected_at as "connectedAt"
    from restwell.connection c
    where c.provider = ${provider} and c.member_id = ${memberId} and ${isActive}
  `.execute(transaction)
  return rows.some((row) => row.userId === userId) ? [] : rows
}

/** True if one of the others was connected before this connection. */
export async function hasEarlierConnection(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  others: readonly OtherConnection[],
): Promise<boolean> {
  if (others.length === 0) return false
  const own = await transaction
    .selectFrom("connection")
    .select("connected_at")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .executeTakeFirst()
  if (!own) return false
  const ownMs = own.connected_at.getTime()
  return others.some((other) => {
    const laterMs = ownMs - other.connectedAt.getTime()
    return laterMs > 0 || (laterMs === 0 && userId > other.userId)
  })
}

/**
 * Ends a connection whose member is connected to another account. Its tokens are deleted, but not revoked at the vendor: that would end
 * the other account's grant. A connection that was connected again meanwhile stays.
 */
export async function endDuplicate(
  transaction: Transaction<Database>,
  context: Context,
  { userId, provider, generation }: ConnectionId & { readonly generation: string },
): Promise<void> {
  await lockPerson(transaction, userId)
  // Lock the grant before the connection, as everywhere, so that two transactions cannot deadlock.
  await transaction
    .selectFrom("vendor_grant")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .forUpdate()
    .execute()
  const ended = await transaction
    .updateTable("connection")
    .set((row) => ({ generation: row("generation", "+", "1") }))
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("generation", "=", generation)
    .returning("user_id")
    .executeTakeFirst()
  if (!ended) return
  await transaction.deleteFrom("vendor_grant").where("user_id", "=", userId).where("provider", "=", provider).execute()
  const reason = `this account at ${provider} is connected to another account on this server`
  await applyEvent(transaction, context, { userId, provider }, { type: "disconnected", reason })
}

/**
 * True if another account has an active connection to the member. A vendor ends grants by person and app, so ending one of them would end
 * the other. An unknown member may be anybody's.
 */
export async function isMemberShared(
  { database }: Pick<Context, "database">,
  { userId, provider }: ConnectionId,
  memberId: string | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    select from restwell.connection c
    where c.provider = ${provider} and c.user_id <> ${userId} and ${isActive}
      ${memberId === undefined ? sql`` : sql`and c.member_id = ${memberId}`}
    limit 1
  `.execute(database)
  return rows.length > 0
}
