import {
  type ArchiveFile,
  isSqlite,
  readVendorArchive,
  refuseForeignFile,
  UnreadableArchive,
} from "@restwell/providers"
import { sql } from "kysely"
import { holdJob } from "../jobs/hold-job.ts"
import { type ClaimedJob, claimJob, type DueTime, lowerJob } from "../jobs/job-queue.ts"
import { databaseTrouble, isDatabaseAway, isDiskFull, isDiskLow } from "../store/database-trouble.ts"
import type { ImportKind } from "../store/record-tables.ts"
import {
  beginImport,
  type ClaimedImport,
  ClaimLost,
  type ImportContext,
  leaveImport,
  noteDeath,
  noteProgress,
} from "./claim-import.ts"
import { failImport, finishImport, giveUp } from "./finish-import.ts"
import { LARGE_IMPORT, storedFile } from "./receive-import.ts"
import { readRestwellExport } from "./restwell-export.ts"
import { stageItems } from "./stage-items.ts"
import { type StagedItem, stagedItems } from "./staged-item.ts"

interface ReadArchive {
  readonly kind: ImportKind
  readonly items: AsyncIterable<StagedItem>
  /** As a vendor's archive has it. */
  readonly progress?: (() => number) | undefined
}

const HEAD_BYTES = 512

/**
 * Detects the format of an archive by its content, and streams what it contains. @param now decides what may still be scored
 * @throws {UnreadableArchive}
 */
async function readArchive(file: ArchiveFile, now: Date, timeZone: string): Promise<ReadArchive> {
  const head = await file.read(0, HEAD_BYTES)
  if (head.length === 0) throw new UnreadableArchive(`${file.name} is empty`)
  const isZip = head.subarray(0, 2).toString("latin1") === "PK"
  if (!isZip && /^\ufeff?\s*\{/.test(head.toString("utf8")))
    return { kind: "restwell_export", items: readRestwellExport(file) }
  if (!isZip) refuseForeignFile(file.name, head)
  if (!isZip && /^\ufeff?\s*\[/.test(head.toString("utf8")))
    throw new UnreadableArchive(`${file.name} is one file of an archive`, {
      nextStep: "upload the whole zip file as the vendor sent it",
    })
  if (!isZip && isBinary(file.name, head))
    throw new UnreadableArchive(`${file.name} is not a zip file, or it was damaged on the way`, {
      nextStep: "download it again and upload it as it is",
    })
  const archive = await readVendorArchive(file, { isZip, now, timeZone })
  return { kind: archive.kind, items: stagedItems(archive), progress: archive.progress }
}

const BYTE_ORDER_MARKS = ["\xff\xfe", "\xfe\xff"]
/** Tabulators, line ends and the escape character of some encodings. */
const TEXT_CONTROLS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])

/** True for bytes that are no table in any encoding. A table without a byte order mark gets the message about its encoding. */
const isBinary = (name: string, head: Buffer): boolean =>
  !/\.csv$/i.test(name) &&
  !isSqlite(head) &&
  !BYTE_ORDER_MARKS.includes(head.toString("latin1", 0, 2)) &&
  head.some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte))

/** Nobody sends an upload any more of which nothing has arrived for this long. */
const SILENT_UPLOAD_SECONDS = 45

/** How soon it is looked again whether the disk has space. */
const DISK_AGAIN_MS = 5_000

interface RunImportsOptions {
  /** Aborts between two chunks. The import waits for another process then. */
  readonly signal: AbortSignal
  /** Runs this import alone. @default all that wait */
  readonly only?: string
}

/** Reads the archives that wait here, one after the other, as a process does that runs no other jobs. */
export async function runImports(context: ImportContext, { signal, only }: RunImportsOptions): Promise<void> {
  await sweepBrokenUploads(context)
  while (!signal.aborted) {
    const job = await claimJob(context, [{ kind: "import", minPriority: 0, key: only }], context.clock.now())
    if (!job) return
    await holdJob(context, job, { stopping: signal, run: (held) => runImport(context, job, { signal: held }) })
  }
}

/** An archive of which so many processes ended at the same place is not read again: it would stop everybody else. */
const MOST_DEATHS = 3

interface RunImportOptions {
  /** Aborts between two chunks. */
  readonly signal: AbortSignal
  /** Called when reading goes on, and when it waits for the database: who watches the run counts no silence then. */
  readonly onReading?: (isReading: boolean) => void
}

/** Reads the archive of a job. @returns when to begin again, undefined when it has ended */
export async function runImport(
  context: ImportContext,
  job: ClaimedJob,
  { signal, onReading = () => {} }: RunImportOptions,
): Promise<DueTime | undefined> {
  const soon = () => new Date(context.clock.now().getTime() + DISK_AGAIN_MS)
  const deaths = job.isTakenOver ? await noteDeath(context, job) : 0
  if (deaths >= MOST_DEATHS)
    return giveUp(context, job, {
      log: "an import was given up because processes ended while they read it",
      error: `: reading it ended the server ${deaths} times, order an export of a shorter time and upload the new file`,
    })
  // From now on no other one that is large, or that a process ended with, is read beside it: so the deaths are its own.
  if (deaths > 0 && job.priority > LARGE_IMPORT) {
    await lowerJob(context, job, LARGE_IMPORT)
    return "at_once"
  }
  if (await isDiskLow(context.disk)) return soon()
  const claimed = await beginImport(context, job)
  if (!claimed) return undefined
  const { userId, id: importId } = claimed
  try {
    const report = await importFile(context, claimed, { signal, onReading })
    if (report) context.logger.info({ userId, importId, stored: report.stored }, "import ended")
    return undefined
  } catch (error) {
    if (error instanceof ClaimLost) {
      context.logger.info({ userId, importId }, "import was undone or taken over")
      return undefined
    }
    if (signal.aborted) await leaveImport(context, claimed)
    else if (error instanceof DiskIsLow) {
      context.logger.warn({ userId, importId }, "an import waits until the disk has space")
      await leaveImport(context, claimed)
    } else {
      context.logger.error({ err: error, userId, importId }, "could not import an archive")
      // Another try would end the same way, unless the database failed: then the import begins again.
      if (databaseTrouble(error) === undefined) {
        await failImport(context, claimed, {
          kind: null,
          error: `internal error, ask the operator, who finds its cause in the log under ${importId}`,
        })
        return undefined
      }
    }
    return signal.aborted || (isDatabaseAway(error) && !isDiskFull(error)) ? "at_once" : soon()
  }
}

/** A database is copied before its first row is read. The progress of that much is the copying. */
const COPY_SHARE = 0.25
/** How often copying shows its progress. */
const NOTE_MS = 1_000

async function importFile(
  context: ImportContext,
  claimed: ClaimedImport,
  { signal, onReading }: Required<RunImportOptions>,
) {
  let kind: ImportKind | null = null
  let [hasItems, notedMs] = [false, performance.now()]
  try {
    const { read, ...stored } = storedFile(context, claimed)
    const noteCopying = async () => {
      if (hasItems || performance.now() - notedMs < NOTE_MS) return
      signal.throwIfAborted()
      await noteProgress(context, claimed, COPY_SHARE * stored.progress())
      notedMs = performance.now()
    }
    const file = {
      ...stored,
      read: async (position: number, length: number) => {
        onReading(false)
        await noteCopying()
        const piece = await read(position, length)
        onReading(true)
        return piece
      },
    }
    const timeZone = await timeZoneOf(context, claimed)
    onReading(true)
    const archive = await readArchive(file, context.clock.now(), timeZone)
    kind = archive.kind
    hasItems = true
    const { progress: ofRows } = archive
    const progress = ofRows ? () => COPY_SHARE + (1 - COPY_SHARE) * ofRows() : stored.progress
    const items = watched(archive.items, onReading, async () => {
      if (await isDiskLow(context.disk)) throw new DiskIsLow("the disk is nearly full")
    })
    const counts = await stageItems(context, claimed, { items, progress, signal, timeZone })
    return await finishImport(context, claimed, { kind, counts })
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error
    await failImport(context, claimed, { kind, error: error.message })
    return undefined
  } finally {
    onReading(false)
  }
}

async function timeZoneOf({ database }: ImportContext, { userId }: ClaimedImport): Promise<string> {
  const person = await database
    .selectFrom("person")
    .select("time_zone")
    .where("user_id", "=", userId)
    .executeTakeFirst()
  return person?.time_zone ?? "UTC"
}

/** There is too little space to go on. The import waits, and begins again. */
class DiskIsLow extends Error {}

const ITEMS_PER_CHECK = 250

async function* watched<Item>(
  items: AsyncIterable<Item>,
  onReading: (isReading: boolean) => void,
  check: () => Promise<void>,
): AsyncGenerator<Item, void> {
  let count = 0
  for await (const item of items) {
    onReading(false)
    if (count % ITEMS_PER_CHECK === 0) await check()
    count += 1
    yield item
    onReading(true)
  }
}

/**
 * Deletes uploads that nobody sends any more, by the database's clock alone. After that clock was set back, their silence counts from now.
 */
export async function sweepBrokenUploads({ database }: ImportContext): Promise<void> {
  await sql`
    with ahead as (update restwell.import set arrived_at = now() where status = 'receiving' and arrived_at > now())
    delete from restwell.import where status = 'receiving'
      and arrived_at < now() - make_interval(secs => ${SILENT_UPLOAD_SECONDS})
  `.execute(database)
}
