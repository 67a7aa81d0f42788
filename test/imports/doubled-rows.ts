// Archives of every kind whose rows are all there twice.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { inflateRawSync } from "node:zlib"
import { type ZipContent, zipOf } from "@restwell/simulator"
import { z } from "zod"

/** A zip archive, or a file of an archive. */
export async function withDoubledRows(name: string, bytes: Buffer): Promise<Buffer> {
  if (bytes.toString("latin1", 0, 4) === "PK\x03\x04") {
    const files = await Promise.all(
      filesIn(bytes).map(async (file) => ({ ...file, bytes: await withDoubledRows(file.name, file.bytes) })),
    )
    return zipOf(files)
  }
  if (bytes.toString("latin1", 0, 15) === "SQLite format 3") return doubledDatabase(bytes)
  // Each sleep has a header of its own.
  if (name.endsWith("sleep-export.csv")) return Buffer.concat([bytes, bytes])
  if (name.endsWith(".csv")) return Buffer.from(doubledTable(bytes.toString()))
  if (name.endsWith(".json")) return Buffer.from(doubledList(bytes.toString()))
  return name.endsWith("export.xml") ? Buffer.from(doubledElements(bytes.toString())) : bytes
}

/** Entries as the directory lists them. Positions are those of APPNOTE.TXT 4.3.12 and 4.3.7. */
function filesIn(zip: Buffer): ZipContent[] {
  const files: ZipContent[] = []
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"))
  for (let entry = zip.readUInt32LE(end + 16); zip.readUInt32LE(entry) === 0x02014b50; ) {
    const [method, size, start] = [
      zip.readUInt16LE(entry + 10),
      zip.readUInt32LE(entry + 20),
      zip.readUInt32LE(entry + 42),
    ]
    const [nameLength, ...others] = [28, 30, 32].map((position) => zip.readUInt16LE(entry + position))
    const name = zip.toString("utf8", entry + 46, entry + 46 + (nameLength ?? 0))
    const from = start + 30 + zip.readUInt16LE(start + 26) + zip.readUInt16LE(start + 28)
    const content = zip.subarray(from, from + size)
    files.push({ name, bytes: method === 0 ? content : inflateRawSync(content) })
    entry += 46 + [nameLength ?? 0, ...others].reduce((sum, length) => sum + length, 0)
  }
  return files
}

/** Cells may have line ends, so all rows stand after all rows. */
function doubledTable(text: string): string {
  const headerEnd = text.indexOf("\n") + 1
  const rows = text.slice(headerEnd)
  return text.slice(0, headerEnd) + rows + (rows === "" || rows.endsWith("\n") ? "" : "\n") + rows
}

const ListSchema = z.array(z.unknown())
const ExportSchema = z.looseObject({ journal: ListSchema, records: ListSchema, series: ListSchema })

/** A list, or our own export, whose lists are its members. */
function doubledList(text: string): string {
  const parsed: unknown = JSON.parse(text)
  const list = ListSchema.safeParse(parsed)
  if (list.success) return JSON.stringify([...list.data, ...list.data])
  const own = ExportSchema.safeParse(parsed)
  if (!own.success) return text
  const { journal, records, series } = own.data
  return JSON.stringify({
    ...own.data,
    journal: [...journal, ...journal],
    records: [...records, ...records],
    series: [...series, ...series],
  })
}

function doubledElements(text: string): string {
  const end = text.lastIndexOf("</HealthData>")
  const start = text.search(/<(?:Record|Workout|Correlation|ActivitySummary) /)
  return text.slice(0, end) + text.slice(start, end) + text.slice(end)
}

/** Rows that others name as their parents, and devices, are there once. */
const PARENTS = /info_table|^sleep_|^heart_rate_record|^skin|^DEVICE$|^USER$|metadata/

async function doubledDatabase(bytes: Buffer): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "restwell-doubled-"))
  const path = join(folder, "database")
  try {
    await writeFile(path, bytes)
    doubleTables(path)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const NamesSchema = z.array(z.object({ name: z.string() }))

function doubleTables(path: string): void {
  using database = new DatabaseSync(path)
  const namesOf = (query: string, ...values: string[]) =>
    NamesSchema.parse(database.prepare(query).all(...values)).map(({ name }) => name)
  for (const table of namesOf("select name from sqlite_master where type = 'table'")) {
    if (PARENTS.test(table)) continue
    const columns = namesOf("select name from pragma_table_info(?)", table)
      .filter((name) => !/^_?(?:row_)?id$/i.test(name))
      .map((name) => `"${name}"`)
    database.exec(`insert into "${table}" (${columns.join()}) select ${columns.join()} from "${table}"`)
  }
}
