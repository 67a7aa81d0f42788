import { sourceName } from "@restwell/client/figures"
import type { NormalizedProfile } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { Conflict } from "../context/errors.ts"
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

/**
 * True if the stored data are of another member than this one, as far as both are named. Archives are imported by hand, so they decide
 * nothing.
 */
export async function isOtherThanStored(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { data: { providerId: memberId }, isUnnamed }: NormalizedProfile,
): Promise<boolean> {
  if (isUnnamed) return false
  const { rows } = await sql`
    select from restwell.connection c
    left join restwell.profile p on p.user_id = c.user_id and p.provider = c.provider and not p.from_archive
    where c.user_id = ${userId} and c.provider = ${provider}
      and coalesce(c.member_id, p.data ->> 'providerId') <> ${memberId}
      and p.data -> 'isUnnamed' is null
  `.execute(transaction)
  return rows.length > 0
}

/**
 * Lets a connection have a member only where no data of two people are mixed, and no two accounts end each other's grants. Locks the member
 * as `findOtherConnections` does.
 * @throws {Conflict} when the member is connected to another account, or is not the one of the stored data
 */
export async function refuseOtherMember(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
  profile: NormalizedProfile,
): Promise<void> {
  const others = await findOtherConnections(transaction, context, connection, profile.data.providerId)
  const name = sourceName(connection.provider)
  if (others.length > 0)
    throw new Conflict(
      `this account at ${name} is already connected to another account on this server, sign in to that account or disconnect it there first`,
      { member: "connected_elsewhere" },
    )
  if (await isOtherThanStored(transaction, connection, profile))
    throw new Conflict(
      `this account at ${name} is another person's than the stored data, delete the stored data first: disconnect ${name} and choose to delete them`,
      { member: "of_another_person" },
    )
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
 * Ends a connection whose member it may not have. Its tokens are deleted, but not revoked at the vendor: that would end the grant of another
 * account with the same member. A connection that was connected again meanwhile stays.
 */
export async function endOtherMember(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId & { readonly generation: string },
  reason: string,
): Promise<void> {
  const { userId, provider, generation } = connection
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
  await applyEvent(transaction, context, { userId, provider }, { type: "disconnected", reason })
}

/** Why a connection ends whose member another account has. */
export const connectedElsewhere = ({ provider }: ConnectionId): string =>
  `this account at ${sourceName(provider)} is connected to another account on this server`

/** Why a connection ends whose member is not the one of the stored data. */
export const ofAnotherPerson = ({ provider }: ConnectionId): string =>
  `this account at ${sourceName(provider)} is another person's than the stored data: delete them to connect it`

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
