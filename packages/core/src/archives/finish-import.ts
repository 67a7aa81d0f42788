import { BODY_TYPES } from "@restwell/client"
import { withoutControls } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { applyEvent, lockConnection } from "../connect/connection-status.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { ClaimedJob } from "../jobs/job-queue.ts"
import { noteArrivedHistory } from "../jobs/request-notifying.ts"
import { queueBatch } from "../outbox/batch-events.ts"
import { type Database, growDataVersion, lockData, personTransaction } from "../store/database.ts"
import type { ImportKind, ImportReport } from "../store/record-tables.ts"
import { deriveOffset } from "../store/statements/derive-dates.ts"
import { ALL_TIME, hasArchives, projectArchives } from "../store/statements/project-archives.ts"
import { beginImport, type ClaimedImport, holdClaim, type ImportContext } from "./claim-import.ts"
import { reportJson } from "./report-json.ts"
import type { StagedCounts } from "./stage-items.ts"
import { removeRestored, restorePreferences } from "./staged-item.ts"

/** Makes all that an import staged visible at once, with its report. @throws {ClaimLost} */
export async function finishImport(
  context: ImportContext,
  claimed: ClaimedImport,
  { kind, counts }: { readonly kind: ImportKind; readonly counts: StagedCounts },
): Promise<ImportReport> {
  return personTransaction(context.database, claimed.userId, async (transaction) => {
    await holdClaim(transaction, claimed, 1)
    await importOf(transaction, claimed).set({ status: "done", kind }).execute()
    const samples = await countSamples(transaction, claimed)
    let stored = (await countNewAnswers(transaction, claimed)) + samples.fresh
    const providers = await providersOf(transaction, claimed)
    const connections = providers.map((provider) => ({ userId: claimed.userId, provider }))
    // All of them before anything of the person, as `lockData` says.
    for (const connection of connections) await addConnection(transaction, context, connection)
    for (const connection of connections) {
      const written = await projectArchives(transaction, connection, ALL_TIME)
      stored += written.get(claimed.id) ?? 0
      await noteNewestArchive(transaction, connection)
    }
    await lockData(transaction, claimed.userId)
    for (const connection of connections) {
      await applyEvent(transaction, context, connection, { type: "archive_stored" })
      if (stored > 0) await noteArrivedHistory(transaction, { ...connection, at: context.clock.now() })
    }
    // The same archive again is no news.
    if (stored > 0) await queueBatch(transaction, context, claimed.userId, { mode: "import", sources: providers })
    await restorePreferences(transaction, claimed, counts.preferences)
    const report = {
      stored,
      unchanged: counts.rows + samples.all - stored,
      ...ignoredOf(counts),
      notes: counts.notes,
      ...(await spanOf(transaction, claimed)),
    }
    await importOf(transaction, claimed)
      .set({ report: reportJson(report) })
      .execute()
    await partsOf(transaction, claimed).execute()
    await growDataVersion(transaction, claimed.userId)
    return report
  })
}

/** What an import brings before it is done, and the parts of its file. */
const STAGED_TABLES = [
  "import_record",
  "import_profile",
  "journal_answer",
  "import_own_answer",
  "import_own_note",
  "import_series_day",
  "import_part",
] as const

/** Ends an import whose file cannot be read. Nothing of it stays but the reason. @throws {ClaimLost} */
export async function failImport(
  context: ImportContext,
  claimed: ClaimedImport,
  { kind, error }: { readonly kind: ImportKind | null; readonly error: string },
): Promise<void> {
  await personTransaction(context.database, claimed.userId, async (transaction) => {
    await holdClaim(transaction, claimed, 1)
    for (const table of STAGED_TABLES)
      await transaction
        .deleteFrom(table)
        .where("user_id", "=", claimed.userId)
        .where("import_id", "=", claimed.id)
        .execute()
    await importOf(transaction, claimed)
      .set({ status: "failed", kind, error: withoutControls(error) })
      .execute()
  })
}

/** Fails the import of a job, because another try would end the same way. @param error follows the name of the file */
export async function giveUp(
  context: ImportContext,
  job: ClaimedJob,
  { log, error }: { readonly log: string; readonly error: string },
): Promise<undefined> {
  const claimed = await beginImport(context, job)
  if (!claimed) return
  const { userId, id: importId, fileName } = claimed
  context.logger.warn({ userId, importId }, log)
  await failImport(context, claimed, { kind: null, error: `${fileName}${error}` })
}

const importOf = (transaction: Transaction<Database>, { userId, id }: ClaimedImport) =>
  transaction.updateTable("import").where("user_id", "=", userId).where("id", "=", id)

const partsOf = (transaction: Transaction<Database>, { userId, id }: ClaimedImport) =>
  transaction.deleteFrom("import_part").where("user_id", "=", userId).where("import_id", "=", id)

const ignoredOf = ({ ignored }: StagedCounts) => ({
  ignored: [...ignored].map(([reason, count]) => ({ reason, count })),
})

/** The providers that an import has data of. */
async function providersOf(
  transaction: Transaction<Database>,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<string[]> {
  const { rows } = await sql<{ provider: string }>`
    select provider from restwell.import_record where user_id = ${userId} and import_id = ${id}
    union select provider from restwell.import_profile where user_id = ${userId} and import_id = ${id}
    union select provider from restwell.journal_answer where user_id = ${userId} and import_id = ${id}
    union select provider from restwell.import_series_day where user_id = ${userId} and import_id = ${id}
    union select pushed_provider from restwell.import where user_id = ${userId} and id = ${id} and pushed_provider is not null
    order by provider
  `.execute(transaction)
  return rows.map(({ provider }) => provider)
}

/** Stores when the newest archive with data of a source was uploaded. */
async function noteNewestArchive(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
): Promise<void> {
  await sql`
    update restwell.connection c set archived_at = (
      select max(i.created_at) from restwell.import i
      where i.user_id = c.user_id and i.status = 'done' and i.pushed_provider is null and (
        exists (select from restwell.import_record r where r.user_id = i.user_id and r.import_id = i.id and r.provider = c.provider)
        or exists (select from restwell.import_profile r where r.user_id = i.user_id and r.import_id = i.id and r.provider = c.provider)
        or exists (select from restwell.journal_answer r where r.user_id = i.user_id and r.import_id = i.id and r.provider = c.provider)
        or exists (select from restwell.import_series_day r where r.user_id = i.user_id and r.import_id = i.id and r.provider = c.provider)))
    where c.user_id = ${userId} and c.provider = ${provider}
  `.execute(transaction)
}

/** A person without a connection gets one that only archives fill. It is locked, so that a sync waits. */
export async function addConnection(
  transaction: Transaction<Database>,
  { clock }: Pick<ImportContext, "clock">,
  { userId, provider }: ConnectionId,
): Promise<void> {
  const now = clock.now()
  await transaction
    .insertInto("connection")
    .values({
      user_id: userId,
      provider,
      // The `archive_stored` event that follows changes it.
      status: "disconnected",
      status_changed_at: now,
      connected_at: now,
      next_sync_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await lockConnection(transaction, { userId, provider })
}

/** Answers that no other import has. */
async function countNewAnswers(transaction: Transaction<Database>, { userId, id }: ClaimedImport): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*)::integer from (
      select provider, cycle_started_at, question, provider_id, answer from restwell.journal_answer
      where user_id = ${userId} and import_id = ${id}
      except
      select j.provider, j.cycle_started_at, j.question, j.provider_id, j.answer from restwell.journal_answer j
      join restwell.import i on i.user_id = j.user_id and i.id = j.import_id and i.status = 'done'
      where j.user_id = ${userId} and j.import_id <> ${id}) fresh)
    + (select count(*)::integer from (
      select date, factor, answer, value from restwell.import_own_answer where user_id = ${userId} and import_id = ${id}
      except
      (select date, factor, answer, value from restwell.own_answer where user_id = ${userId}
       union all
       select j.date, j.factor, j.answer, j.value from restwell.import_own_answer j
       join restwell.import i on i.user_id = j.user_id and i.id = j.import_id and i.status = 'done'
       where j.user_id = ${userId} and j.import_id <> ${id})) own) as count
  `.execute(transaction)
  return rows[0]?.count ?? 0
}

/** Samples that belong to no record. Those of records come and go with them. */
const OWN_SAMPLES = sql<boolean>`s.record_id = '' and s.type <> 'sleep_stages'`

/** How many samples an import has, and how many of them on days that no other import has in the same way. */
async function countSamples(
  transaction: Transaction<Database>,
  { userId, id }: ClaimedImport,
): Promise<{ readonly all: number; readonly fresh: number }> {
  const { rows } = await sql<{ all: number; fresh: number }>`
    select coalesce(sum(s.count), 0)::integer as all, coalesce(sum(s.count) filter (where not exists (
        select from restwell.import_series_day o
        join restwell.import i on i.user_id = o.user_id and i.id = o.import_id and i.status = 'done'
        where o.user_id = s.user_id and o.import_id <> s.import_id and o.type = s.type and o.provider = s.provider and o.day = s.day
          and o.device = s.device and o.method = s.method and o.record_id = s.record_id and o.samples = s.samples)), 0)::integer as fresh
    from restwell.import_series_day s where s.user_id = ${userId} and s.import_id = ${id} and ${OWN_SAMPLES}
  `.execute(transaction)
  return rows[0] ?? { all: 0, fresh: 0 }
}

export async function spanOf(
  transaction: Transaction<Database>,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<Pick<ImportReport, "from_date" | "to_date" | "by_type" | "dates_by_type">> {
  const { rows } = await sql<{ type: string; count: number; from: string; to: string; isLocal: boolean }>`
    select kind as type, count(*)::integer as count, min(date)::text as "from", max(date)::text as "to", true as "isLocal"
    from restwell.import_record where user_id = ${userId} and import_id = ${id} group by kind
    union all
    select 'journal', count(*)::integer, min(date)::text, max(date)::text, true from (
      select date from restwell.journal_answer where user_id = ${userId} and import_id = ${id}
      union all
      select date from restwell.import_own_answer where user_id = ${userId} and import_id = ${id}) answers
    having count(*) > 0
    union all
    select type, sum(count)::integer, min(day)::text, max(day)::text, type = any(${BODY_TYPES})
    from restwell.import_series_day s
    where user_id = ${userId} and import_id = ${id} and ${OWN_SAMPLES}
    group by type
  `.execute(transaction)
  const types = rows.toSorted((one, other) => one.type.localeCompare(other.type))
  // Values within the day have UTC days, which may be others than the dates of their records.
  const dates = types.flatMap(({ from, to, isLocal }) => (isLocal ? [from, to] : [])).toSorted()
  return {
    from_date: dates[0] ?? null,
    to_date: dates.at(-1) ?? null,
    by_type: Object.fromEntries(types.map(({ type, count }) => [type, count])),
    dates_by_type: Object.fromEntries(types.map(({ type, from, to }) => [type, { from_date: from, to_date: to }])),
  }
}

/**
 * Removes an import with all that it alone brought. What another import or the vendor also has stays. One that still runs is stopped.
 * @throws {NotFound} when the person has no such import
 */
export async function undoImport(context: Context, userId: string, id: string): Promise<void> {
  await personTransaction(context.database, userId, async (transaction) => {
    // Lock the import before the connections, as its own run does.
    const { rows } = await sql`
      select from restwell.import where user_id = ${userId} and id::text = ${id} and status <> 'receiving' for update
    `.execute(transaction)
    if (rows.length === 0) throw new NotFound("there is no such import")
    const providers = await providersOf(transaction, { userId, id })
    for (const provider of providers) await lockConnection(transaction, { userId, provider })
    await lockData(transaction, userId)
    await endPushes(transaction, { userId, id })
    await removeRestored(transaction, { userId, id })
    await transaction.deleteFrom("import").where("user_id", "=", userId).where("id", "=", id).execute()
    for (const provider of providers) await removeCopies(transaction, context, { userId, provider })
    await queueBatch(transaction, context, userId, { mode: "import", sources: providers })
    await growDataVersion(transaction, userId)
  })
}

/** Without pushes, a connection has the status of its archives. */
async function endPushes(
  transaction: Transaction<Database>,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<void> {
  await sql`
    update restwell.connection c set pushed_at = null
    from restwell.import i
    where i.user_id = ${userId} and i.id::text = ${id} and c.user_id = i.user_id and c.provider = i.pushed_provider
  `.execute(transaction)
  // A push that is being stored begins again, so that its report is true.
  await sql`
    update restwell.push p set pieces = 0, report = default
    from restwell.import i
    where i.user_id = ${userId} and i.id::text = ${id} and p.user_id = i.user_id and p.provider = i.pushed_provider
      and p.status = 'queued' and p.pieces > 0
  `.execute(transaction)
}

async function removeCopies(
  transaction: Transaction<Database>,
  context: Context,
  connection: ConnectionId,
): Promise<void> {
  await projectArchives(transaction, connection, ALL_TIME)
  await deriveOffset(transaction, connection)
  await noteNewestArchive(transaction, connection)
  if (await hasArchives(transaction, connection)) return
  const status = await applyEvent(transaction, context, connection, { type: "archives_removed" })
  if (status !== "disconnected") return
  // A first import made this connection. Every connect after it grows the generation.
  await transaction
    .deleteFrom("connection")
    .where("user_id", "=", connection.userId)
    .where("provider", "=", connection.provider)
    .where("generation", "=", "0")
    .execute()
}

/** A person's imports, newest first. A file that is still uploaded is not listed. */
export async function listImports({ database }: Pick<Context, "database">, userId: string) {
  const rows = await database
    .selectFrom("import")
    .select(["id", "file_name as fileName", "kind", "status", "progress", "report", "error", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where("status", "!=", "receiving")
    .orderBy("number", "desc")
    .execute()
  return rows.flatMap(({ status, ...row }) => (status === "receiving" ? [] : [{ ...row, status }]))
}
