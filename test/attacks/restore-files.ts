/** Backups that no Restwell wrote: damaged, cut off, and made up with right checksums. */
import { readFile, writeFile } from "node:fs/promises"
import { Readable } from "node:stream"
import { zstdDecompressSync } from "node:zlib"
import { restoreBackup, UnusableBackup, verifyBackup } from "@restwell/core"
import { type ArchiveFile, readArchive, SUMS, writeArchive } from "@restwell/core/backup-archive"
import { FILES } from "@restwell/core/backup-content"
import { type Random, randomFor } from "@restwell/simulator"
import type { Pool } from "pg"
import { expect } from "vitest"
import { storedRows } from "../backup/stored-state.ts"

/** The files of a backup but the sums, as its author may write them anew. */
export async function filesOf(path: string): Promise<ArchiveFile[]> {
  return await Array.fromAsync(readArchive(path))
}

/** A backup with right checksums, whatever its files are. */
export async function backupOf(files: readonly ArchiveFile[]): Promise<Buffer> {
  const bytes: Buffer[] = []
  const write = async (part: Buffer) => void bytes.push(part)
  await writeArchive(Readable.from(files), { write, now: new Date(0) })
  return Buffer.concat(bytes)
}

/** Replaces the JSON of one file. */
export const withJson = (
  files: readonly ArchiveFile[],
  name: string,
  change: (value: unknown) => unknown,
): ArchiveFile[] =>
  files.map((file) =>
    file.name === name
      ? { name, content: Buffer.from(JSON.stringify(change(JSON.parse(file.content.toString("utf8")))) ?? "") }
      : file,
  )

const VALUES = [null, "", "x", 0, -1, 2 ** 53, [], {}, true, "\u0000", "0099-later", ["x"], [{}], "kysely_migration"]
const HEADER = ["format", "program", "created_at", "postgres", "migrations", "tables", "key_id", "has_secret"]
const SEQUENCES: readonly [unknown, ...unknown[]] = [
  [{ name: "none", last_value: "1", is_called: true }],
  [{ name: "person", last_value: "1", is_called: true }],
  [{ name: "security_event_id_seq", last_value: "9223372036854775807", is_called: true }],
  [{ name: "security_event_id_seq", last_value: "-5", is_called: true }],
  {},
]
const SECRETS: readonly [unknown, ...unknown[]] = [["x"], [], [""], ["a".repeat(40), "b"], ["a\n".repeat(40)], "x", [1]]

type Files = readonly ArchiveFile[]
type Change = (files: Files, random: Random) => ArchiveFile[]

const anyOf = (files: Files, random: Random): number => random.integer(0, files.length - 1)
const flip = (bytes: Buffer, random: Random): Buffer<ArrayBuffer> => {
  const flipped = Buffer.from(bytes)
  const at = random.integer(0, flipped.length - 1)
  if (flipped.length > 0) flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << random.integer(0, 7)), at)
  return flipped
}

const NAMES = [
  SUMS,
  "",
  "../../secret",
  "/etc/passwd",
  "tables/none.00001.copy",
  "x\ny",
  "e".repeat(90),
  ...Object.values(FILES),
]

const CHANGES: readonly [Change, ...Change[]] = [
  (files, random) =>
    withJson(files, FILES.header, (header) => ({
      ...Object(header),
      [String(pick(random, HEADER))]: pick(random, VALUES),
    })),
  (files, random) => withJson(files, FILES.header, (header) => withTable(header, random)),
  (files, random) => withJson(files, FILES.secrets, () => random.pick(SECRETS)),
  (files, random) => withJson(files, FILES.sequences, () => random.pick(SEQUENCES)),
  (files, random) => files.toSpliced(anyOf(files, random), random.integer(1, 3)),
  (files, random) => files.toSpliced(anyOf(files, random), 0, ...files.slice(anyOf(files, random)).slice(0, 3)),
  (files, random) => files.toSorted(() => random.integer(-1, 1)),
  (files, random) => changeOne(files, random, (file) => ({ ...file, content: flip(file.content, random) })),
  (files, random) => changeOne(files, random, (file) => ({ ...file, name: String(pick(random, NAMES)) })),
  (files, random) =>
    changeOne(files, random, (file) => ({ ...file, content: Buffer.alloc(random.integer(0, 9), "{") })),
]

const pick = (random: Random, values: readonly unknown[]) => values[random.integer(0, values.length - 1)]

/** Says something else about one table. */
function withTable(header: unknown, random: Random): unknown {
  const { tables }: { tables: readonly object[] } = Object(header)
  const at = random.integer(0, tables.length - 1)
  const change = random.chance(0.5) ? { rows: random.integer(-1, 9) } : { name: pick(random, VALUES) }
  return { ...Object(header), tables: tables.map((table, index) => (index === at ? { ...table, ...change } : table)) }
}

function changeOne(files: Files, random: Random, change: (file: ArchiveFile) => ArchiveFile): ArchiveFile[] {
  const at = anyOf(files, random)
  return files.map((file, index) => (index === at ? change(file) : file))
}

/** Changes the bytes themselves: cut off, flipped, or with more at the end. */
async function damage(path: string, random: Random): Promise<Buffer> {
  const bytes = await readFile(path)
  if (random.chance(0.4)) return bytes.subarray(0, random.integer(0, bytes.length - 1))
  if (random.chance(0.8)) return flip(bytes, random)
  return Buffer.concat([bytes, Buffer.from([random.integer(0, 255)])])
}

/** It was accepted, and must not be committed. */
class Accepted extends Error {}

export interface AttackedRestore {
  /** A good backup. */
  readonly path: string
  /** Where the hostile ones are written. */
  readonly hostile: string
  /** The place that they are restored into. */
  readonly pool: Pool
  readonly files: number
  readonly seed: number
}

/** Restores hostile files. Each is refused in one sentence, which is true, or could be what a person had. Returns how many were refused. */
export async function attackRestore({ path, hostile, pool, files, seed }: AttackedRestore): Promise<number> {
  const good = await filesOf(path)
  const before = await storedRows(pool)
  let refused = 0
  for (let index = 0; index < files; index += 1) {
    const random = randomFor("restore files", seed, index)
    const isDamaged = random.chance(0.2)
    await writeFile(
      hostile,
      isDamaged ? await damage(path, random) : await backupOf(random.pick(CHANGES)(good, random)),
    )
    const error = await restore(pool, hostile)
    if (error instanceof Accepted) {
      // Zstandard has a bit in each of its headers that means nothing.
      if (isDamaged) expect(await unpack(hostile), `seed ${seed}, file ${index}`).toEqual(await unpack(path))
    } else {
      expect(error, `seed ${seed}, file ${index}`).toBeInstanceOf(UnusableBackup)
      expect(String(error), `seed ${seed}, file ${index}`).toMatch(/^UnusableBackup: [^\n]+ Nothing was changed$/)
      refused += 1
    }
    if (index % 20 === 0) expect(await storedRows(pool), `seed ${seed}, file ${index}`).toEqual(before)
  }
  expect(await storedRows(pool)).toEqual(before)
  return refused
}

const unpack = async (path: string): Promise<Buffer> => zstdDecompressSync(await readFile(path))

async function restore(pool: Pool, path: string): Promise<unknown> {
  const beforeCommit = async () => {
    throw new Accepted("it can be restored")
  }
  try {
    const backup = await verifyBackup(path)
    return await restoreBackup(pool, { path, backup, replaces: true, beforeCommit })
  } catch (error) {
    return error
  }
}
