import type { Context } from "../context/context.ts"
import { Conflict, InvalidRequest } from "../context/errors.ts"

/** The file is stored in pieces of this size, which any process can read. */
const PART_BYTES = 1_048_576
const LONGEST_NAME = 200

export interface UploadedFile {
  readonly userId: string
  /** As the person's computer calls it. */
  readonly fileName: string
  /** Whether answers about private topics are stored. It is asked after the content has arrived. */
  readonly includesPrivate: () => boolean
  readonly content: AsyncIterable<Uint8Array>
}

type Store = Pick<Context, "database" | "clock">

/**
 * Stores an uploaded file piece by piece, to be imported in the background. If the upload breaks off, nothing stays.
 * @returns the id of the import
 * @throws {InvalidRequest} when the file is empty
 * @throws {Conflict} when too many of the person's archives wait already
 */
export async function receiveImport(context: Store, file: UploadedFile): Promise<string> {
  const { userId } = file
  await refuseMany(context, userId)
  const { id } = await context.database
    .insertInto("import")
    .values({
      user_id: userId,
      file_name: nameOf(file.fileName),
      status: "receiving",
      includes_private: false,
      created_at: context.clock.now(),
    })
    .returning("id")
    .executeTakeFirstOrThrow()
  try {
    const size = await storeParts(context, userId, id, file.content)
    if (size === 0) throw new InvalidRequest("the file is empty", "file")
    await importOf(context, userId, id)
      .set({ status: "queued", size: String(size), includes_private: file.includesPrivate() })
      .execute()
    return id
  } catch (error) {
    await context.database.deleteFrom("import").where("user_id", "=", userId).where("id", "=", id).execute()
    throw error
  }
}

/** Archives of one person that may wait or run. Their files take space. */
const MOST_WAITING = 5

async function refuseMany({ database }: Store, userId: string): Promise<void> {
  const waiting = await database
    .selectFrom("import")
    .select("id")
    .where("user_id", "=", userId)
    .where("status", "in", ["receiving", "queued", "running"])
    .limit(MOST_WAITING)
    .execute()
  if (waiting.length === MOST_WAITING)
    throw new Conflict(`${MOST_WAITING} archives are being imported already, wait for them or remove one`)
}

const importOf = ({ database }: Store, userId: string, id: string) =>
  database.updateTable("import").where("user_id", "=", userId).where("id", "=", id)

/** The last part of the path, as plain text. */
const nameOf = (fileName: string): string =>
  fileName
    .toWellFormed()
    .replaceAll(/^.*[/\\]|\p{Cc}/gsu, "")
    .slice(0, LONGEST_NAME) || "archive"

/** @returns the number of bytes */
async function storeParts(
  { database }: Store,
  userId: string,
  id: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> {
  let part = 0
  let size = 0
  for await (const bytes of partsOf(content)) {
    await database.insertInto("import_part").values({ user_id: userId, import_id: id, part, bytes }).execute()
    part += 1
    size += bytes.length
  }
  return size
}

/** Pieces of equal size. Only the last one is shorter. */
async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const piece of content) {
    waiting.push(piece)
    length += piece.length
    if (length < PART_BYTES) continue
    const all = Buffer.concat(waiting)
    let start = 0
    for (; all.length - start >= PART_BYTES; start += PART_BYTES) yield all.subarray(start, start + PART_BYTES)
    waiting = [all.subarray(start)]
    length = all.length - start
  }
  if (length > 0) yield Buffer.concat(waiting)
}

/** The stored file of an import, for reading at any position. It holds one part in memory. */
export function storedFile(
  { database }: Pick<Context, "database">,
  { userId, id, fileName, size }: { userId: string; id: string; fileName: string; size: number },
) {
  let held: { readonly part: number; readonly bytes: Buffer } | undefined
  let bytesRead = 0
  const readPart = async (part: number): Promise<Buffer> => {
    if (held?.part === part) return held.bytes
    const row = await database
      .selectFrom("import_part")
      .select("bytes")
      .where("user_id", "=", userId)
      .where("import_id", "=", id)
      .where("part", "=", part)
      .executeTakeFirst()
    held = { part, bytes: row?.bytes ?? Buffer.alloc(0) }
    return held.bytes
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
