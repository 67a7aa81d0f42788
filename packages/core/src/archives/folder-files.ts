/** Archives that lie in a folder, as a phone or another program puts them there: each version of a file is imported once. */
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { Database } from "../store/database.ts"
import type { ImportStatus } from "../store/record-tables.ts"
import { undoImport } from "./finish-import.ts"
import { receiveImport } from "./receive-import.ts"

/** One version of a file. It has another size or time once somebody writes to it. */
export interface FolderFile {
  readonly userId: string
  /** The whole path on its machine. */
  readonly path: string
  readonly size: number
  readonly modifiedAt: Date
}

interface OpenedFile extends FolderFile {
  readonly content: AsyncIterable<Uint8Array>
  readonly includesPrivate: boolean
  /** @returns false if the file has changed while it was read */
  readonly isUnchanged: () => Promise<boolean>
}

/** Whether this version of the file was imported before. */
export async function isImported({ database }: Pick<Context, "database">, file: FolderFile): Promise<boolean> {
  const { userId, path, size, modifiedAt } = file
  const found = await database
    .selectFrom("folder_file")
    .select("path")
    .where("user_id", "=", userId)
    .where("path", "=", path)
    .where("size", "=", String(size))
    .where("modified_at", "=", modifiedAt)
    .executeTakeFirst()
  return found !== undefined
}

/** Somebody writes to the file, or another process was faster. Nothing of it is stored. */
class LeftAlone extends Error {}

/**
 * Imports this version of a file in the background, in one process if several see the folder.
 * @returns the id of the import, undefined if the file changes, or was taken by another process
 * @throws as `receiveImport` does
 */
export async function importFolderFile(
  context: Parameters<typeof receiveImport>[0],
  file: OpenedFile,
): Promise<string | undefined> {
  const { userId, path: fileName, size: expectedBytes, content, includesPrivate, isUnchanged } = file
  try {
    return await receiveImport(context, {
      userId,
      fileName,
      expectedBytes,
      content,
      includesPrivate: () => includesPrivate,
      async onArrived(transaction, importId) {
        if (!(await isUnchanged()) || !(await noteImport(transaction, file, importId))) throw new LeftAlone()
      },
    })
  } catch (error) {
    if (error instanceof LeftAlone) return undefined
    throw error
  }
}

/** @returns false if this version was noted already */
async function noteImport(transaction: Transaction<Database>, file: FolderFile, importId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into restwell.folder_file as f (user_id, path, size, modified_at, import_id)
    values (${file.userId}, ${file.path}, ${file.size}, ${file.modifiedAt}, ${importId})
    on conflict (user_id, path) do update set size = excluded.size, modified_at = excluded.modified_at,
      import_id = excluded.import_id, former_import_id = coalesce(
        (select i.id from restwell.import i where i.user_id = f.user_id and i.id = f.import_id and i.status = 'done'), f.former_import_id)
    where (f.size, f.modified_at) is distinct from (excluded.size, excluded.modified_at)
    returning path
  `.execute(transaction)
  return rows.length > 0
}

/**
 * Apps that export on a schedule write the same file again, with all that was in it. Undoes the imports of former versions of which the new
 * one has everything, so that a year of exports is one import. Others stay.
 * @returns the number of files whose new version is still to be read
 */
export async function endFormerImports(context: Context, userId: string): Promise<number> {
  const { rows } = await sql<{
    path: string
    id: string
    formerId: string | null
    status: ImportStatus
    hasAll: boolean
  }>`
    select f.path, f.import_id::text as id, o.id::text as "formerId", i.status, i.status = 'done' and ${hasAll} as "hasAll"
    from restwell.folder_file f
    join restwell.import i on i.user_id = f.user_id and i.id = f.import_id
    left join restwell.import o on o.user_id = f.user_id and o.id = f.former_import_id and o.status = 'done'
    where f.user_id = ${userId} and f.former_import_id is not null
  `.execute(context.database)
  const read = rows.filter(({ status }) => status === "done")
  for (const { path, id, formerId, hasAll } of read) {
    if (hasAll && formerId !== null) await undoImport(context, userId, formerId).catch(unlessUndone)
    await context.database
      .updateTable("folder_file")
      .set({ former_import_id: null })
      .where("user_id", "=", userId)
      .where("path", "=", path)
      .where("import_id", "=", id)
      .execute()
  }
  return rows.filter(({ status }) => status === "queued" || status === "running").length
}

/** Another process that sees the folder was faster. */
function unlessUndone(error: unknown): void {
  if (!(error instanceof NotFound)) throw error
}

/** SQL: true if the rows that the former import brought have one of the same key in the new one, and a day no fewer values. */
const hasAll = sql<boolean>`(
  not exists (
    select from restwell.import_record a where a.user_id = f.user_id and a.import_id = f.former_import_id and not exists (
      select from restwell.import_record b where b.user_id = a.user_id and b.import_id = f.import_id
        and (b.provider, b.kind, b.provider_id) = (a.provider, a.kind, a.provider_id)))
  and not exists (
    select from restwell.journal_answer a where a.user_id = f.user_id and a.import_id = f.former_import_id and not exists (
      select from restwell.journal_answer b where b.user_id = a.user_id and b.import_id = f.import_id
        and (b.provider, b.cycle_started_at, b.question, b.provider_id) = (a.provider, a.cycle_started_at, a.question, a.provider_id)))
  and not exists (
    select from restwell.import_series_day a where a.user_id = f.user_id and a.import_id = f.former_import_id and not exists (
      select from restwell.import_series_day b where b.user_id = a.user_id and b.import_id = f.import_id and b.count >= a.count
        and (b.type, b.provider, b.day, b.device, b.method, b.record_id) = (a.type, a.provider, a.day, a.device, a.method, a.record_id)))
  and not exists (
    select from restwell.import_own_answer a where a.user_id = f.user_id and a.import_id = f.former_import_id and not exists (
      select from restwell.import_own_answer b where b.user_id = a.user_id and b.import_id = f.import_id
        and (b.date, b.factor) = (a.date, a.factor)))
  and not exists (
    select from restwell.import_own_note a where a.user_id = f.user_id and a.import_id = f.former_import_id and not exists (
      select from restwell.import_own_note b where b.user_id = a.user_id and b.import_id = f.import_id and b.date = a.date)))`
