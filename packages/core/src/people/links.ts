import { hash, randomBytes, randomUUID } from "node:crypto"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import type { Plan } from "../base/plans.ts"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { Conflict, InvalidRequest, NotFound } from "../context/errors.ts"
import { type Database, lockPerson, personTransaction } from "../store/database.ts"
import { findUserByEmail } from "./account.ts"
import { endPushOfSessions } from "./push-sessions.ts"

/** 256 random bits, so that a fast hash protects the stored form. */
const TOKEN_BYTES = 32
const SHAPE = /^[\w-]{43}$/

/** The secret part of a link that works once. */
interface LinkToken {
  readonly token: string
  /** SHA-256, which is all that is stored. */
  readonly tokenHash: Buffer
}

function newLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString("base64url")
  return { token, tokenHash: hashOfToken(token) }
}

/** The hash that a token is stored under. A text that cannot be a token gives a hash that is stored nowhere. */
const hashOfToken = (token: string): Buffer => hash("sha256", SHAPE.test(token) ? token : "", "buffer")

export const INVITATION_DAYS = 7

type Store = Pick<Context, "database" | "clock">

export interface InvitationLink {
  readonly id: string
  readonly token: string
  readonly expiresAt: Date
}

/** Makes a link that creates one account, even where sign-ups are closed. @param email the only address that may accept it */
export async function createInvitation(
  { database, clock }: Store,
  { email, plan }: { readonly email?: string | undefined; readonly plan: Plan },
): Promise<InvitationLink> {
  const { token, tokenHash } = newLinkToken()
  const now = clock.now()
  const expiresAt = endOf(now)
  const { id } = await database
    .insertInto("invitation")
    .values({ token_hash: tokenHash, email: email ?? null, plan, created_at: now, expires_at: expiresAt })
    .returning("id")
    .executeTakeFirstOrThrow()
  return { id, token, expiresAt }
}

/** Replaces the link of an open invitation. The former link stops working. @throws {NotFound} */
export async function renewInvitation({ database, clock }: Store, id: string): Promise<InvitationLink> {
  const { token, tokenHash } = newLinkToken()
  const expiresAt = endOf(clock.now())
  const { numUpdatedRows } = await database
    .updateTable("invitation")
    .set({ token_hash: tokenHash, expires_at: expiresAt })
    .where("id", "=", id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new NotFound(NO_INVITATION)
  return { id, token, expiresAt }
}

/** @throws {NotFound} */
export async function revokeInvitation({ database }: Pick<Context, "database">, id: string): Promise<void> {
  const { numDeletedRows } = await database.deleteFrom("invitation").where("id", "=", id).executeTakeFirst()
  if (numDeletedRows === 0n) throw new NotFound(NO_INVITATION)
}

const NO_INVITATION = "there is no open invitation with this id: it was accepted or revoked"

const endOf = (now: Date): Date => new Date(now.getTime() + INVITATION_DAYS * DAY_MS)

/** Longer than any request that creates an account. A claim whose process was killed ends after it. */
const CLAIM_MS = 10 * MINUTE_MS

const INVALID =
  "this invitation is not valid: it was accepted, replaced or revoked, or it has expired. Ask for a new one"

/** An open invitation by its link. It stays open. @throws {NotFound} */
export async function findInvitation(
  { database, clock }: Store,
  token: string,
): Promise<{ readonly email: string | null; readonly plan: Plan }> {
  const found = await database
    .selectFrom("invitation")
    .select(["email", "plan"])
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", clock.now())
    .executeTakeFirst()
  if (!found) throw new NotFound(INVALID)
  return found
}

/**
 * Reserves an invitation for an account that is about to be created. The database ends it with that account. Of two people with one link,
 * one gets the account. A claim that came to nothing can be repeated with the same address.
 * @throws {NotFound} @throws {InvalidRequest} for another address than the invited one
 * @throws {Conflict} for an address that has an account, and while somebody else accepts it
 */
export async function claimInvitation(
  { database, clock }: Store,
  { token, email }: { readonly token: string; readonly email: string },
): Promise<void> {
  const invitation = await findInvitation({ database, clock }, token)
  if (invitation.email !== null && invitation.email !== email)
    throw new InvalidRequest(`email must be the address that was invited, ${invitation.email}`, "email")
  // Claimed for nothing, it would be closed to the right address for a while.
  if ((await findUserByEmail({ database }, email)) !== undefined)
    throw new Conflict("this email address has an account, sign in instead")
  const now = clock.now()
  const { numUpdatedRows } = await database
    .updateTable("invitation")
    .set({ claimed_for: email, claimed_at: now })
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", now)
    .where((row) =>
      row.or([
        row("claimed_for", "is", null),
        row("claimed_for", "=", email),
        row("claimed_at", "<", new Date(now.getTime() - CLAIM_MS)),
      ]),
    )
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw new Conflict("somebody else is accepting this invitation right now, ask for one of your own")
}

/** Invitations that nobody has accepted, newest first. Expired ones are listed for as long as they are stored. */
export const listInvitations = ({ database }: Pick<Context, "database">) =>
  database
    .selectFrom("invitation")
    .select(["id", "email", "plan", "created_at as createdAt", "expires_at as expiresAt"])
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute()

export type Invitation = Awaited<ReturnType<typeof listInvitations>>[number]

/** A link of the operator travels by hand. A link in an email lies in a mailbox. */
export const RESET_HOURS = { operator: 24, email: 1 } as const

interface PasswordResetOptions {
  /** Who asked for it. */
  readonly by: keyof typeof RESET_HOURS
  /** Using the link also turns sign-in codes off, for a person who has lost the app and the recovery codes. */
  readonly removesTwoFactor?: boolean
}

interface PasswordResetLink {
  readonly token: string
  readonly expiresAt: Date
}

/** Makes a link that sets a new password once. Undefined if the account was deleted meanwhile. */
export async function createPasswordReset(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { by, removesTwoFactor = false }: PasswordResetOptions,
): Promise<PasswordResetLink | undefined> {
  const { token, tokenHash } = newLinkToken()
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + RESET_HOURS[by] * HOUR_MS)
  return personTransaction(database, userId, async (transaction) => {
    const { numAffectedRows: created = 0n } = await sql`
      insert into restwell.password_reset (user_id, token_hash, removes_two_factor, created_at, expires_at)
      select id, ${tokenHash}, ${removesTwoFactor}, ${now}, ${expiresAt}
      from restwell."user" where id = ${userId}`.execute(transaction)
    if (created === 0n) return undefined
    await recordSecurityEvent({ database: transaction, clock }, userId, {
      type: "password_reset_requested",
      detail: by,
    })
    return { token, expiresAt }
  })
}

const INVALID_RESET_LINK = "this link is not valid: it was used, or it has expired. Ask for a new one"

/** Whose password a link sets. The link stays unused. @throws {NotFound} */
export async function findPasswordReset(
  { database, clock }: Pick<Context, "database" | "clock">,
  token: string,
): Promise<{ readonly userId: string; readonly email: string; readonly removesTwoFactor: boolean }> {
  const found = await database
    .selectFrom("password_reset")
    .innerJoin("user", "user.id", "password_reset.user_id")
    .select(["user.id as userId", "user.email", "removes_two_factor as removesTwoFactor"])
    .where("token_hash", "=", hashOfToken(token))
    .where("expires_at", ">", clock.now())
    .executeTakeFirst()
  if (!found) throw new NotFound(INVALID_RESET_LINK)
  return found
}

interface NewPassword {
  readonly token: string
  /** As better-auth stores it. */
  readonly passwordHash: string
  /** The visitor's network, for the security log. */
  readonly network: string
}

/**
 * Sets the password with a link, ends all sessions, and deletes the person's links. Of simultaneous uses of one link, one succeeds.
 * @throws {NotFound} when the link was used or has expired
 */
export async function resetPassword(
  context: Pick<Context, "database" | "clock">,
  { token, passwordHash, network }: NewPassword,
): Promise<void> {
  const { userId } = await findPasswordReset(context, token)
  await context.database.transaction().execute(async (transaction) => {
    await lockPerson(transaction, userId)
    const link = await transaction
      .deleteFrom("password_reset")
      .where("user_id", "=", userId)
      .where("token_hash", "=", hashOfToken(token))
      .returning("removes_two_factor")
      .executeTakeFirst()
    if (!link) throw new NotFound(INVALID_RESET_LINK)
    await transaction.deleteFrom("password_reset").where("user_id", "=", userId).execute()
    await storePassword(transaction, userId, passwordHash, context.clock.now())
    await sql`delete from restwell.session where "userId" = ${userId}`.execute(transaction)
    await endPushOfSessions(transaction, userId, "all")
    const log = { database: transaction, clock: context.clock }
    await recordSecurityEvent(log, userId, { type: "password_reset", network })
    if (link.removes_two_factor && (await removeTwoFactor(transaction, userId)))
      await recordSecurityEvent(log, userId, { type: "two_factor_off", detail: "password reset", network })
  })
}

/** Sets the first password of an account that had none, such as one of Google. */
async function storePassword(
  transaction: Transaction<Database>,
  userId: string,
  passwordHash: string,
  now: Date,
): Promise<void> {
  const { numAffectedRows: changed = 0n } = await sql`
    update restwell.account set password = ${passwordHash}, "updatedAt" = ${now}
    where "userId" = ${userId} and "providerId" = 'credential'`.execute(transaction)
  if (changed > 0n) return
  await sql`
    insert into restwell.account (id, "accountId", "providerId", "userId", password, "createdAt", "updatedAt")
    values (${randomUUID()}, ${userId}, 'credential', ${userId}, ${passwordHash}, ${now}, ${now})`.execute(transaction)
}

/** True if codes were on. */
async function removeTwoFactor(transaction: Transaction<Database>, userId: string): Promise<boolean> {
  const { numAffectedRows: removed = 0n } = await sql`
    delete from restwell."twoFactor" where "userId" = ${userId}`.execute(transaction)
  await sql`update restwell."user" set "twoFactorEnabled" = false where id = ${userId}`.execute(transaction)
  return removed > 0n
}
