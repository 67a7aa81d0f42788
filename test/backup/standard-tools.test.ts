/** A backup can be opened without Restwell: by `zstd`, `tar` and `sha256sum`, and by any PostgreSQL. */
import { spawnSync } from "node:child_process"
import { createHash, randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { readdir, readFile, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import { restoreBackup, verifyBackup, writeBackup, writeWholeFile } from "@restwell/core"
import { createTestDatabase, makeFolder } from "@restwell/testing/database"
import { createWorld, type World } from "@restwell/testing/world"
import { Client } from "pg"
import { to as copyTo } from "pg-copy-streams"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { fillEveryTable } from "./fill-every-table.ts"
import { storedRows } from "./stored-state.ts"

const SECRETS = ["the current secret of the place, 32 chars", "a former one of the same place, 32 chars"] as const
const NOW = new Date("2026-11-20T12:00:00Z")
const PART_BYTES = 8 * 1024 * 1024

let world: World
let client: Client
let folder: string
let file: string
beforeAll(async () => {
  world = await createWorld({ days: 2 })
  await world.connect(await world.addUser(), world.simulator.people.add({ email: "ada@example.com" }))
  client = new Client(world.store.connection)
  await client.connect()
  await fillEveryTable(client)
  await addLongRows()
  folder = await makeFolder("standard-tools")
  file = join(folder, "all.backup")
  const options = { secrets: SECRETS, hasSecret: true, program: "0.1.0", now: NOW }
  await writeWholeFile(file, (write) => writeBackup(world.store.pool, { ...options, write }))
  unpack()
})
afterAll(async () => {
  await client.end()
  await world.close()
  await rm(folder, { recursive: true })
})

/** Rows of more bytes than a file of the backup has, and one that is longer than such a file. */
async function addLongRows(): Promise<void> {
  const add = `insert into restwell.verification (id, identifier, value, "expiresAt")
    select $1::text || n, 'long ' || n, repeat($1, $2), now() from generate_series(1, $3) n`
  const text = randomBytes(50).toString("hex")
  await client.query(add, [text, 1_000, 150])
  await client.query(add, [`${text} and more`, 200_000, 1])
}

function run(program: string, args: readonly string[], input?: Buffer): Buffer {
  const options = { input, cwd: folder, maxBuffer: Number.POSITIVE_INFINITY }
  const { status, stdout, stderr, error } = spawnSync(program, args, options)
  if (error) throw error
  expect(stderr.toString("utf8")).toBe("")
  expect(status).toBe(0)
  return stdout
}

function unpack(): void {
  const hasZstd = spawnSync("zstd", ["--version"]).error === undefined
  const archive = hasZstd ? run("zstd", ["-dc", file]) : zstdDecompressSync(readFileSync(file))
  run("tar", ["x"], archive)
}

const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), "utf8"))

/** What the files of a table have together. */
async function readTable(name: string): Promise<Buffer> {
  const parts = (await readdir(join(folder, "tables"))).filter((part) => part.startsWith(`${name}.`)).toSorted()
  return Buffer.concat(await Promise.all(parts.map((part) => readFile(join(folder, "tables", part)))))
}

test("zstd and tar unpack it, and sha256sum checks what they unpacked", async () => {
  const checked = run("sha256sum", ["--check", "SHA256SUMS"]).toString("utf8").trim().split("\n")
  for (const line of checked) expect(line).toMatch(/: OK$/)
  const tables = (await readdir(join(folder, "tables"))).map((name) => `tables/${name}`)
  const files = ["backup.json", "secrets.json", "sequences.json", ...tables]
  expect(checked.map((line) => line.replace(": OK", "")).toSorted()).toEqual(files.toSorted())
  for (const name of files) {
    const { mode, mtime, size } = await stat(join(folder, name))
    expect([mode & 0o777, mtime, size <= PART_BYTES], name).toEqual([0o600, NOW, true])
  }
})

test("its files are JSON, and what COPY writes", async () => {
  const TableSchema = z.object({ name: z.string(), columns: z.array(z.object({ name: z.string() })), rows: z.int() })
  const { tables } = z.object({ tables: z.array(TableSchema) }).parse(await readJson("backup.json"))
  expect(await readJson("secrets.json")).toEqual(SECRETS)
  expect(await readJson("sequences.json")).toContainEqual(expect.objectContaining({ name: "security_event_id_seq" }))
  await client.query("set timezone = 'UTC'")
  for (const { name, columns, rows } of tables) {
    const text = await readTable(name)
    expect(text.toString("latin1").split("\n").length - 1, name).toBe(rows)
    const list = columns.map((column) => `"${column.name}"`).join(", ")
    const copied = await Array.fromAsync(client.query(copyTo(`copy restwell."${name}" (${list}) to stdout`)))
    expect(digest(text), name).toBe(digest(Buffer.concat(copied)))
  }
})

test("splits a large table at the ends of lines, and restores it as it was", async () => {
  const names = (await readdir(join(folder, "tables"))).filter((name) => name.startsWith("verification.")).toSorted()
  expect(names.length).toBeGreaterThan(3)
  const [first] = names
  expect(first).toBe("verification.00001.copy")
  expect((await readFile(join(folder, "tables", first ?? ""))).at(-1)).toBe("\n".charCodeAt(0))
  const target = await createTestDatabase()
  const backup = await verifyBackup(file)
  await restoreBackup(target.pool, { path: file, backup, replaces: false, beforeCommit: async () => {} })
  expect(await storedRows(target.pool)).toEqual(await storedRows(world.store.pool))
  await target.drop()
})

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")
