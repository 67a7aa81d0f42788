/** What the blocks of a backup contain. Names in the file never change their meaning: a newer program reads all older files. */
import { z } from "zod"
import { KIND } from "./blocks.ts"
import { damaged, type ReadOptions, readBlocks } from "./read-blocks.ts"
import { UnusableBackup } from "./unusable-backup.ts"

/** The version of the file format. Programs read their own and all earlier ones. */
export const FORMAT = 1

const TableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
})
export type BackupTableDescription = z.infer<typeof TableSchema>

const HeaderSchema = z.object({
  format: z.int().min(1),
  /** The version of the program that wrote it. */
  program: z.string(),
  created_at: z.iso.datetime(),
  /** The version of the PostgreSQL that it was read from. */
  postgres: z.string(),
  /** The schema's migrations. The restore brings an empty schema to the last of them, and migrates the rows from there. */
  migrations: z.array(z.string()).min(1),
  tables: z.array(TableSchema),
  /** The id of the key that encrypted stored tokens. It is no secret. */
  key_id: z.string(),
  has_secret: z.boolean(),
})
export type BackupHeader = z.infer<typeof HeaderSchema>

const SecretsSchema = z.tuple([z.string().min(1)], z.string().min(1))
/** Sequences of the schema, each with its last value and whether that was given out. */
const SequencesSchema = z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() }))
export type BackupSequences = z.infer<typeof SequencesSchema>

export type BackupPart =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "secrets"; readonly secrets: z.infer<typeof SecretsSchema> }
  | { readonly kind: "table"; readonly name: string }
  | { readonly kind: "rows"; readonly content: () => Promise<Buffer> }
  | { readonly kind: "tableEnd"; readonly rows: number }
  | { readonly kind: "sequences"; readonly sequences: BackupSequences }

/** Reads the parts of a backup file. @throws {UnusableBackup} */
export async function* readParts(path: string, options: ReadOptions = {}): AsyncGenerator<BackupPart> {
  let isFirst = true
  for await (const { kind, content } of readBlocks(path, options)) {
    if (isFirst !== (kind === KIND.header)) throw damaged(path, 0)
    isFirst = false
    if (kind === KIND.rows) yield { kind: "rows", content }
    else yield partOf(kind, JSON.parse((await content()).toString("utf8")))
  }
}

function partOf(kind: number, value: unknown): BackupPart {
  switch (kind) {
    case KIND.header:
      return { kind: "header", header: readHeader(value) }
    case KIND.secrets:
      return { kind: "secrets", secrets: SecretsSchema.parse(value) }
    case KIND.table:
      return { kind: "table", name: z.object({ name: z.string() }).parse(value).name }
    case KIND.tableEnd:
      return { kind: "tableEnd", rows: z.object({ rows: z.int() }).parse(value).rows }
    case KIND.sequences:
      return { kind: "sequences", sequences: SequencesSchema.parse(value) }
    default:
      throw new UnusableBackup(`the backup has a part of unknown kind ${kind}. Nothing was changed`)
  }
}

function readHeader(value: unknown): BackupHeader {
  const { format, program } = z.looseObject({ format: z.int(), program: z.string() }).parse(value)
  if (format > FORMAT) throw newer(program)
  return HeaderSchema.parse(value)
}

export const newer = (program: string): UnusableBackup =>
  new UnusableBackup(
    `the backup was made by a newer Restwell (${program}): restore it with that version. Nothing was changed`,
  )
