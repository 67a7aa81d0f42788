/** What the files of a backup contain. Names never change their meaning: a newer program reads all older backups. */

import type { ClientBase } from "pg"
import { z } from "zod"
import { SECRET_LENGTH, type Secrets } from "../base/encryption.ts"
import { SCHEMA } from "../store/database.ts"
import { hasMigration } from "../store/migrate.ts"
import { type ArchiveFile, type ReadOptions, readArchive, UnusableBackup } from "./backup-archive.ts"

/** The version of the file format. Programs read their own and all earlier ones. */
export const FORMAT = 1

const TableSchema = z.object({
  name: z.string(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.int().min(0),
})
export type BackupTable = z.infer<typeof TableSchema>

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

/** As the files of DATA_DIR hold it, one a line. A start refuses a shorter one. */
const SecretSchema = z
  .string()
  .min(SECRET_LENGTH)
  .regex(/^\S(?:.*\S)?$/)
const SecretsSchema = z.tuple([SecretSchema], SecretSchema)
/** Sequences of the schema, each with its last value and whether that was given out. One near its end would give out no more. */
const SequencesSchema = z.array(
  z.object({ name: z.string(), last_value: z.string().regex(/^[1-9]\d{0,14}$/), is_called: z.boolean() }),
)
export type BackupSequences = z.infer<typeof SequencesSchema>

/** The files of a backup in their order. `secrets.json` is there unless it was left out. */
export const FILES = { header: "backup.json", secrets: "secrets.json", sequences: "sequences.json" } as const

/** A table is split into files, so that nobody needs the memory for a whole one. All of them together are what COPY wrote. */
export const tableFile = (table: string, part: number): string =>
  `tables/${table}.${String(part).padStart(5, "0")}.copy`

export const jsonFile = (name: string, value: unknown): ArchiveFile => ({
  name,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

/** What a complete and undamaged backup file says about itself. */
export interface VerifiedBackup {
  readonly header: BackupHeader
  /** The operator's secrets when it was made, the current one first. Undefined if it was made without. */
  readonly secrets: Secrets | undefined
  readonly sequences: BackupSequences
  /** Stands for the whole content. */
  readonly digest: string
}

export interface ReadBackupOptions extends ReadOptions {
  /** Receives the text of each table, whose end has not been checked yet. @default it is only checked */
  readonly onTable?: (table: BackupTable, text: AsyncIterable<Buffer>) => Promise<void>
}

/** Reads a whole backup file. @throws {UnusableBackup} for one that cannot be restored by any program, or needs a newer one */
export async function verifyBackup(path: string, options: ReadBackupOptions = {}): Promise<VerifiedBackup> {
  await using files = openFiles(path, options)
  const header = parseHeader(await files.takeJson(FILES.header))
  const secrets = header.has_secret ? parseSecrets(await files.takeJson(FILES.secrets)) : undefined
  for (const table of header.tables) await (options.onTable ?? readOver)(table, files.takeTable(table.name))
  const sequences = parse(SequencesSchema, await files.takeJson(FILES.sequences))
  return { header, secrets, sequences, digest: await files.end() }
}

async function readOver(_table: BackupTable, text: AsyncIterable<Buffer>): Promise<void> {
  for await (const _part of text);
}

/** The files of a backup, of which one is read ahead. */
function openFiles(path: string, options: ReadOptions) {
  const files = readArchive(path, options)
  let next: Promise<IteratorResult<ArchiveFile, string>> | undefined
  const readAhead = () => (next ??= files.next())
  const take = async (name: string): Promise<Buffer> => {
    const { value } = await readAhead()
    if (typeof value === "string") throw madeUp(`it has no ${name}`)
    if (value.name !== name) throw madeUp(`it has ${JSON.stringify(value.name)} in the place of ${name}`)
    next = undefined
    return value.content
  }
  return {
    async takeJson(name: string): Promise<unknown> {
      const text = (await take(name)).toString("utf8")
      try {
        return JSON.parse(text)
      } catch (error) {
        throw madeUp(`its ${name} is not JSON`, error)
      }
    },
    async *takeTable(table: string): AsyncGenerator<Buffer> {
      for (let part = 1; ; part += 1) {
        const name = tableFile(table, part)
        const { value } = await readAhead()
        if (typeof value === "string" || value.name !== name) return
        yield await take(name)
      }
    },
    async end(): Promise<string> {
      const { value } = await readAhead()
      if (typeof value === "string") return value
      throw madeUp(`it has ${JSON.stringify(value.name)}, which no backup has there`)
    },
    async [Symbol.asyncDispose]() {
      await files.return("")
    },
  }
}

/** Its checksums may be right and its content is not. */
export const madeUp = (what: string, cause?: unknown): UnusableBackup =>
  new UnusableBackup(
    `the file is damaged or no backup that Restwell made: ${what}. Use another copy. Nothing was changed`,
    { cause },
  )

function parse<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const { data, error } = schema.safeParse(value)
  if (error) throw madeUp("a part of it has another form", error)
  return data
}

function parseSecrets(value: unknown): Secrets {
  const { data, error } = SecretsSchema.safeParse(value)
  if (error)
    throw madeUp(
      `it has a secret that is not a line of at least ${SECRET_LENGTH} characters, with which nothing could start`,
    )
  return data
}

function parseHeader(value: unknown): BackupHeader {
  const { format, program } = parse(z.looseObject({ format: z.int(), program: z.string() }), value)
  if (format > FORMAT) throw newer(program)
  const header = parse(HeaderSchema, value)
  if (!header.migrations.every(hasMigration)) throw newer(program)
  const names = new Set(header.tables.map(({ name }) => name))
  if (names.size !== header.tables.length) throw madeUp("it describes a table twice")
  const left = header.tables.find(({ name }) => Object.hasOwn(LEFT_OUT, name))
  if (left) throw madeUp(`it has the table ${left.name}, which no backup has`)
  return header
}

const newer = (program: string): UnusableBackup =>
  new UnusableBackup(
    `the backup was made by a newer Restwell (${program}): restore it with that version. Nothing was changed`,
  )

/** Tables that a backup leaves out, and why. All others are in it, those of later versions too. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  kysely_migration: "the header has it, and the restore writes its own",
  kysely_migration_lock: "belongs to a running migration",
  backup: "names files of the place where it was made",
  installation: "is the place where it was made",
}

/** A table, and its size on disk for the progress. */
export interface StoredTable extends BackupTable {
  readonly bytes: number
}

/** The tables of the schema with the columns that are written, and their rows. PostgreSQL computes generated columns again. */
export async function describeTables(client: ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<{
    name: string
    bytes: string
    columns: BackupTable["columns"] | null
  }>(
    `select c.relname as name, pg_table_size(c.oid) as bytes, json_agg(
       json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($2)
     group by c.oid, c.relname order by c.relname`,
    [SCHEMA, Object.keys(LEFT_OUT)],
  )
  const tables: StoredTable[] = []
  for (const { name, bytes, columns } of rows) {
    const { rows: counted } = await client.query<{ rows: number }>(
      `select count(*)::double precision as rows from ${inSchema(client, name)}`,
    )
    tables.push({ name, columns: columns ?? [], rows: counted[0]?.rows ?? 0, bytes: Number(bytes) })
  }
  return tables
}

/** The sequences of the schema, those of identity columns included. */
export async function describeSequences(client: ClientBase): Promise<BackupSequences> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = $1::regnamespace and relkind = 'S' order by relname`,
    [SCHEMA],
  )
  const sequences: BackupSequences = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${inSchema(client, name)}`,
    )
    for (const value of values) sequences.push({ name, ...value })
  }
  return sequences
}

/** A quoted name of the schema. */
export const inSchema = (client: ClientBase, name: string): string => `${SCHEMA}.${client.escapeIdentifier(name)}`

export const columnList = (client: ClientBase, { columns }: Pick<BackupTable, "columns">): string =>
  columns.map(({ name }) => client.escapeIdentifier(name)).join(", ")

/** No limits, and the same text for a value on every server, whatever the settings of server and user. As pg_dump does. */
export const PLAIN_SESSION = `set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local datestyle = iso; set local intervalstyle = postgres; set local timezone = 'UTC';
  set local extra_float_digits = 3; set local bytea_output = hex; set local client_encoding = 'UTF8'`
