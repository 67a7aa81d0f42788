import { UnreadableArchive } from "@restwell/providers"
import { sql } from "kysely"
import { databaseTrouble } from "../store/database-trouble.ts"
import type { ImportKind } from "../store/import-tables.ts"
import type { ImportContext } from "./claim-import.ts"
import { type ClaimedImport, ClaimLost, claimImport, releaseClaim } from "./claim-import.ts"
import { failImport, finishImport } from "./finish-import.ts"
import { readArchive } from "./read-items.ts"
import { storedFile } from "./receive-import.ts"
import { stageItems } from "./stage-items.ts"

/** An upload that did not end within this was broken off with its process. */
const LONGEST_UPLOAD_HOURS = 24

export interface RunImportsOptions {
  /** Aborts between two chunks. The import waits for another process then. */
  readonly signal: AbortSignal
  /** Runs this import alone. @default all that wait */
  readonly only?: string
}

/** Reads the archives that wait, one after the other. Any process may do it, and each archive is read by one at a time. */
export async function runImports(context: ImportContext, { signal, only }: RunImportsOptions): Promise<void> {
  await sweepBrokenUploads(context)
  for (;;) {
    const held = signal.aborted ? undefined : await claimImport(context, only)
    if (!held) return
    await runImport(context, held, signal)
  }
}

async function runImport(context: ImportContext, held: ClaimedImport, signal: AbortSignal): Promise<void> {
  const { userId, id } = held
  try {
    const report = await importFile(context, held, signal)
    if (report) context.logger.info({ userId, importId: id, stored: report.stored }, "import ended")
  } catch (error) {
    if (error instanceof ClaimLost)
      return context.logger.info({ userId, importId: id }, "import was undone or taken over")
    if (signal.aborted) return releaseClaim(context, held)
    // Another try would end the same way, unless the database failed: then the claim expires and the import begins again.
    if (databaseTrouble(error) === undefined)
      await failImport(context, held, {
        kind: null,
        error: `internal error, the operator finds its cause in the log under ${id}`,
      })
    throw new Error(`import ${id} failed`, { cause: error })
  }
}

async function importFile(context: ImportContext, held: ClaimedImport, signal: AbortSignal) {
  let kind: ImportKind | null = null
  try {
    const file = storedFile(context, held)
    const archive = await readArchive(file, context.clock.now())
    kind = archive.kind
    const counts = await stageItems(context, held, { items: archive.items, progress: file.progress, signal })
    return await finishImport(context, held, { kind, counts })
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error
    await failImport(context, held, { kind, error: error.message })
    return undefined
  }
}

/** By the database's clock, as nobody else's clock is known to be right. */
async function sweepBrokenUploads({ database }: ImportContext): Promise<void> {
  await sql`
    delete from restwell.import i where i.status = 'receiving'
      and i.created_at < now() - make_interval(hours => ${LONGEST_UPLOAD_HOURS})
  `.execute(database)
}
