import { cutText, withoutControls } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { Conflict, InvalidRequest, Unavailable } from "../context/errors.ts"
import { addJob, type JobPlace } from "../jobs/job-queue.ts"
import { type Database, personTransaction } from "../store/database.ts"
import { hasRoomFor, isMissingRow } from "../store/database-trouble.ts"
import { noteWhileArriving, PART_BYTES, partsOf, removeArrived } from "./arriving-parts.ts"

const LONGEST_NAME = 200

interface UploadedFile {
  readonly userId: string
  /** As the person's computer calls it. */
  readonly fileName: string
  /** Whether answers about private topics are stored. It is asked after the content has arrived. */
  readonly includesPrivate: () => boolean
  readonly content: AsyncIterable<Uint8Array>
  /** Its size, if it is known before it arrives. */
  readonly expectedBytes?: number | undefined
  /** Called in the transaction in which the import begins to wait. */
  readonly onArrived?: (transaction: Transaction<Database>, importId: string) => Promise<void>
}

type Store = Pick<Context, "database" | "clock" | "disk" | "importPersonBytes">

/** Archives of one person that may wait or run. */
const MOST_WAITING = 5
/** Number of parts after which the disk is looked at again. */
const PARTS_PER_LOOK = 16
/** An upload that is silent for this long has probably broken off. */
const SILENT_SECONDS = 15

/**
 * Stores an uploaded file piece by piece, to be imported in the background. If the upload breaks off, nothing stays.
 * @returns the id of the import
 * @throws {InvalidRequest} when the file is empty
 * @throws {Conflict} when too many of the person's archives wait already, or they are too large together
 * @throws {Unavailable} when the disk has too little space
 */
export async function receiveImport(context: Store, file: UploadedFile): Promise<string> {
  const { userId } = file
  if (!(await hasRoomFor(context.disk, file.expectedBytes ?? 0))) throw new Unavailable(NO_ROOM, RETRY_AFTER_SECONDS)
  const upload = { userId, id: await beginUpload(context, file) }
  try {
    const size = await storeParts(context, upload, file.content)
    if (size === 0) throw new InvalidRequest("the file is empty", "file")
    await noteArrival(context, upload, size)
    await personTransaction(context.database, userId, async (database) => {
      await importOf({ database }, upload)
        .set({ status: "queued", size: String(size), includes_private: file.includesPrivate() })
        .execute()
      await file.onArrived?.(database, upload.id)
      await addJob({ database }, { kind: "import", key: upload.id, userId, priority: priorityOf(size), due: "at_once" })
    })
    return upload.id
  } catch (error) {
    const arrived = context.database.deleteFrom("import").where("user_id", "=", userId).where("id", "=", upload.id)
    await removeArrived(arrived, "an upload was not removed", error)
    // The upload was deleted as a broken one, and its next part has no import to belong to.
    throw isMissingRow(error) ? new InvalidRequest(BROKEN_OFF, "file", { cause: error }) : error
  }
}

/** Most archives of a wearable's vendor are no larger. A phone's health data are. */
const SMALL_BYTES = 8 * 1_048_576
const PRIORITY = { large: 0, small: 1 }
/** The priority of archives of which one at a time is read in a process. */
export const LARGE_IMPORT = PRIORITY.large

/**
 * Two archives at a time are read in a process, of which one is small, so that memory lasts. Each person has one of the places, and small
 * archives come first: nobody waits for another one's largest archives, or for many.
 */
export const IMPORT_PLACES = {
  any: { kind: "import", minPriority: PRIORITY.large, isOneForEach: true },
  small: { kind: "import", minPriority: PRIORITY.small, isOneForEach: true },
} satisfies Readonly<Record<string, JobPlace>>

const priorityOf = (size: number): number => (size <= SMALL_BYTES ? PRIORITY.small : PRIORITY.large)

interface Upload {
  readonly userId: string
  readonly id: string
}

const RETRY_AFTER_SECONDS = 60
const NO_ROOM =
  "the disk of the service has too little space for this archive: its operator must free space, then upload it again"
const BROKEN_OFF = "nothing of the archive arrived for a minute, so the upload was ended: upload it again"

/** Adds an import that is being received. The person's row is locked, so that uploads at the same time are counted one after the other. */
function beginUpload(
  { database, clock, importPersonBytes }: Store,
  { userId, fileName, expectedBytes = 0 }: UploadedFile,
) {
  return database.transaction().execute(async (transaction) => {
    // Not the lock of `personTransaction`: made stronger later, it could deadlock with the deletion of the account.
    await transaction.selectFrom("user").select("id").where("id", "=", userId).forNoKeyUpdate().execute()
    const { rows } = await sql<{ waiting: number; bytes: number }>`
      select count(*) filter (where status in ('receiving', 'queued', 'running'))::int as waiting,
        coalesce(sum(size) filter (where status <> 'failed'), 0)::double precision as bytes
      from restwell.import where user_id = ${userId}
        -- What a dead process was receiving takes the place of no other upload.
        and (status <> 'receiving' or arrived_at > now() - make_interval(secs => ${SILENT_SECONDS}))`.execute(
      transaction,
    )
    const { waiting = 0, bytes = 0 } = rows[0] ?? {}
    if (waiting >= MOST_WAITING) throw new Conflict(TOO_MANY)
    if (bytes + expectedBytes > importPersonBytes) throw new Conflict(tooLarge(importPersonBytes))
    const { id } = await transaction
      .insertInto("import")
      .values({
        user_id: userId,
        file_name: nameOf(fileName),
        status: "receiving",
        includes_private: false,
        created_at: clock.now(),
        // Uploads at the same time share the limit.
        size: String(expectedBytes),
      })
      .returning("id")
      .executeTakeFirstOrThrow()
    return id
  })
}

const TOO_MANY =
  `${MOST_WAITING} of your archives are being uploaded or read already: wait until one has ended, or remove one that waits. ` +
  `An upload that broke off is noticed within ${SILENT_SECONDS} seconds`

const tooLarge = (mostBytes: number): string =>
  `all your archives together may have ${Math.floor(mostBytes / 1_048_576)} MB: undo an earlier import, then upload this one again`

const importOf = ({ database }: Pick<Context, "database">, { userId, id }: Upload) =>
  database.updateTable("import").where("user_id", "=", userId).where("id", "=", id)

/** The last part of the path, as plain text. */
const nameOf = (fileName: string): string =>
  cutText(withoutControls(fileName.replaceAll(/^.*[/\\]/gsu, "")), LONGEST_NAME) || "archive"

/** @returns the number of bytes */
async function storeParts(context: Store, upload: Upload, content: AsyncIterable<Uint8Array>): Promise<number> {
  const { database, disk } = context
  let part = 0
  let size = 0
  const arriving = noteWhileArriving(content, () => noteArrival(context, upload, size))
  for await (const bytes of partsOf(arriving)) {
    size += bytes.length
    if (part % PARTS_PER_LOOK === 0) {
      await noteArrival(context, upload, size)
      if (!(await hasRoomFor(disk, bytes.length))) throw new Unavailable(NO_ROOM, RETRY_AFTER_SECONDS)
    }
    await database
      .insertInto("import_part")
      .values({ user_id: upload.userId, import_id: upload.id, part, bytes })
      .execute()
    part += 1
  }
  return size
}

/** Shows by the database's clock that somebody still sends the upload. Its size counts from now on. */
async function noteArrival(context: Store, { userId, id }: Upload, size: number): Promise<void> {
  const { rows } = await sql<{ others: number }>`
    update restwell.import i set arrived_at = now(), size = greatest(i.size, ${size})
    where i.user_id = ${userId} and i.id = ${id} and i.status = 'receiving'
    returning (select coalesce(sum(o.size), 0)::double precision from restwell.import o
      where o.user_id = i.user_id and o.id <> i.id and o.status <> 'failed') as others
  `.execute(context.database)
  const [found] = rows
  if (!found) throw new InvalidRequest(BROKEN_OFF, "file")
  if (found.others + size > context.importPersonBytes) throw new Conflict(tooLarge(context.importPersonBytes))
}

/** The stored file of an import, for reading at any position. It holds one part in memory. */
export function storedFile(
  { database }: Pick<Context, "database">,
  { userId, id, fileName, size }: { userId: string; id: string; fileName: string; size: number },
) {
  let cached: { readonly part: number; readonly bytes: Buffer } | undefined
  let bytesRead = 0
  const readPart = async (part: number): Promise<Buffer> => {
    if (cached?.part === part) return cached.bytes
    const row = await database
      .selectFrom("import_part")
      .select("bytes")
      .where("user_id", "=", userId)
      .where("import_id", "=", id)
      .where("part", "=", part)
      .executeTakeFirst()
    cached = { part, bytes: row?.bytes ?? Buffer.alloc(0) }
    return cached.bytes
  }
  return {
    name: fileName,
    size,
    async read(position: number, length: number): Promise<Buffer> {
      const bytes = await readPart(Math.floor(position / PART_BYTES))
      const start = position % PART_BYTES
      const piece = bytes.subarray(start, start + length)
      bytesRead += piece.length
      return piece
    },
    /** Fraction of the file that was read, 0 to 1. The beginning of a table is read twice. */
    progress: (): number => Math.min(1, bytesRead / size),
  }
}
