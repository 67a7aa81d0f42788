import { randomUUID } from "node:crypto"
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

/** What an import needs. */
export type ImportContext = Pick<Context, "database" | "clock" | "logger" | "disk" | "wait">

/** An import that this run reads, until another one takes it over. */
export interface ClaimedImport {
  readonly userId: string
  readonly id: string
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  readonly includesPrivate: boolean
  readonly claim: string
}

/** A run that was silent for this long has died. Chunks take a fraction of a second. */
const SILENT_SECONDS = 15

/** True for work that nobody claimed, or whose process was silent for this long, by the database's clock. */
export const isSilentFor = (seconds: number) =>
  sql<boolean>`(claimed_at is null or claimed_at < now() - make_interval(secs => ${seconds}) or claimed_at > now())`

/** True for an import that waits, or that a dead process left. */
const isWaiting = sql<boolean>`status in ('queued', 'running') and ${isSilentFor(SILENT_SECONDS)}`

/** True if there is an import to claim. */
export async function isImportWaiting({ database }: Pick<Context, "database">): Promise<boolean> {
  return (await database.selectFrom("import").select("id").where(isWaiting).limit(1).execute()).length > 0
}

/** The next import that waits, or that a dead process left. @param only claims this one and no other */
export async function claimImport(
  { database }: Pick<Context, "database">,
  only?: string,
): Promise<ClaimedImport | undefined> {
  const claim = randomUUID()
  const { rows } = await sql<Omit<ClaimedImport, "claim">>`
    update restwell.import i set status = 'running', progress = 0, claimed_by = ${claim}, claimed_at = now()
    from (
      select user_id, id from restwell.import
      where ${isWaiting} and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid)
      order by number limit 1 for update skip locked
    ) next
    where i.user_id = next.user_id and i.id = next.id
    returning i.user_id as "userId", i.id, i.file_name as "fileName", i.size::double precision as size,
      i.includes_private as "includesPrivate"
  `.execute(database)
  return rows[0] && { ...rows[0], claim }
}

/** Another run took the import over, or it was undone. What this run has read must not be stored. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost"
}

/** Locks the import for this transaction and shows that its run lives. @throws {ClaimLost} */
export async function renewClaim(
  transaction: Transaction<Database>,
  { userId, id, claim }: ClaimedImport,
  progress: number,
): Promise<void> {
  const { rows } = await sql`
    update restwell.import set claimed_at = now(), progress = ${progress}
    where user_id = ${userId} and id = ${id} and claimed_by = ${claim} and status = 'running' returning id
  `.execute(transaction)
  if (rows.length === 0) throw new ClaimLost("another process reads this import, or it was undone")
}

/** Lets another process continue at once. */
export async function releaseClaim({ database }: Pick<Context, "database">, claimed: ClaimedImport): Promise<void> {
  await database
    .updateTable("import")
    .set({ status: "queued", claimed_by: null, claimed_at: null })
    .where("user_id", "=", claimed.userId)
    .where("id", "=", claimed.id)
    .where("claimed_by", "=", claimed.claim)
    .where("status", "=", "running")
    .execute()
}
