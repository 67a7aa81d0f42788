import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { type ClaimedJob, personOf } from "../jobs/job-queue.ts"
import { type Database, personTransaction } from "../store/database.ts"

/** What an import needs. */
export type ImportContext = Pick<Context, "database" | "clock" | "logger" | "disk" | "wait">

/** An import that this run reads, until another one has its job. */
export interface ClaimedImport {
  readonly userId: string
  readonly id: string
  readonly claim: string
  readonly fileName: string
  /** Bytes. */
  readonly size: number
  readonly includesPrivate: boolean
}

/**
 * Reading that ends a process ends it at one place of the bytes, or of the rows of a database. What kills a process otherwise does so at
 * another place each time.
 */
const SAME_PLACE = 0.02

/**
 * Notes that a process ended while it read the import of a job that was taken over. @returns how many ended at the same place one after the
 * other, 0 if none reads it
 */
export async function noteDeath({ database }: Pick<Context, "database">, job: ClaimedJob): Promise<number> {
  const { rows } = await sql<{ deaths: number }>`
    update restwell.import set status = 'queued', died_at = progress,
      deaths = case when abs(progress - died_at) <= ${SAME_PLACE} then deaths + 1 else 1 end
    where user_id = ${personOf(job)} and id = ${job.key} and status = 'running' returning deaths
  `.execute(database)
  return rows[0]?.deaths ?? 0
}

/** The import of a job, which runs from now on. Undefined if it was undone, or has ended. */
export async function beginImport(
  { database }: Pick<Context, "database">,
  job: ClaimedJob,
): Promise<ClaimedImport | undefined> {
  const { key: id, claim } = job
  const userId = personOf(job)
  const { rows } = await sql<Pick<ClaimedImport, "fileName" | "size" | "includesPrivate">>`
    update restwell.import set status = 'running', progress = 0
    where user_id = ${userId} and id = ${id} and status in ('queued', 'running')
    returning file_name as "fileName", size::double precision as size, includes_private as "includesPrivate"
  `.execute(database)
  return rows[0] && { userId, id, claim, ...rows[0] }
}

/** Another run has the job, or the import was undone. What this run has read must not be stored. */
export class ClaimLost extends Error {
  override readonly name = "ClaimLost"
}

/**
 * Keeps other runs from the job until this transaction ends: `claimJob` skips it, and signs of life go on.
 * @throws {ClaimLost}
 */
export async function holdClaim(
  transaction: Transaction<Database>,
  { userId, id, claim }: ClaimedImport,
  progress: number,
): Promise<void> {
  const { rows } = await sql`
    with own as (select key from restwell.job where kind = 'import' and key = ${id} and claim = ${claim} for key share)
    update restwell.import set progress = ${progress}
    where user_id = ${userId} and id = ${id} and status = 'running' and exists (select from own) returning id
  `.execute(transaction)
  if (rows.length === 0) throw new ClaimLost("another process reads this import, or it was undone")
}

/** Shows how far reading has come before it gave anything. @throws {ClaimLost} */
export const noteProgress = (
  { database }: Pick<Context, "database">,
  claimed: ClaimedImport,
  progress: number,
): Promise<void> =>
  personTransaction(database, claimed.userId, (transaction) => holdClaim(transaction, claimed, progress))

/** Shows that the import waits for another run. */
export async function leaveImport(
  { database }: Pick<Context, "database">,
  { userId, id }: ClaimedImport,
): Promise<void> {
  await database
    .updateTable("import")
    .set({ status: "queued" })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .where("status", "=", "running")
    .execute()
}
