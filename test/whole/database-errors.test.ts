import { writeFile } from "node:fs/promises"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import { join } from "node:path"
import { migrate, openDatabase, openPool } from "@restwell/core"
import { databaseUrl, NOT_DURABLE, type Postgres, startPostgres } from "@restwell/testing/database"
import { runCommand, startServiceProcess, TEST_SECRET } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { query } from "./query.ts"
import { listen, RefusedStarts } from "./refused-start.ts"

const PASSWORD = "hunter2-of-the-database"
const HBA = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"

let server: Postgres
let port: number
beforeAll(async () => {
  server = await startPostgres({ settings: NOT_DURABLE, isOverTcp: true })
  port = server.connection.port
  await query(server.url, `create role someone login password '${PASSWORD}'`)
  for (const name of ["newer", "older", "closed"]) await query(server.url, `create database ${name}`)
  await query(server.url, "grant all on database newer, older to someone")
  await writeFile(join(server.cluster.home.cluster, "pg_hba.conf"), HBA)
  await query(server.url, "select pg_reload_conf()")
})
afterAll(() => server.remove())

let starts: RefusedStarts
beforeEach(async () => {
  starts = await RefusedStarts.make()
})

/** Expects that start and re-encrypt are refused with this database, and that no message has its password. Returns the message. */
async function refusedWith(url: string): Promise<string> {
  const environment = { DATABASE_URL: url, RESTWELL_SECRET: TEST_SECRET }
  const [message = "", ofReEncrypt] = await Promise.all(
    ["start", "re-encrypt"].map((command) => starts.try({ command, environment })),
  )
  expect(ofReEncrypt).toBe(message)
  expect(message).not.toContain("hunter2")
  expect(message).not.toContain("wrong-password")
  return message
}

const urlOf = (database: string, { host = "127.0.0.1", password = PASSWORD, at = port } = {}): string =>
  `postgres://someone:${password}@${host}:${at}/${database}`

/** Over the socket, without a password. */
const ownersUrl = (database: string): string =>
  databaseUrl({ ...server.connection, host: server.cluster.home.socketDirectory, database })

test("a wrong password, an unknown database, and a user who may not make tables", async () => {
  expect(await refusedWith(urlOf("newer", { password: "wrong-password" }))).toBe(
    `restwell: cannot use the database of DATABASE_URL (127.0.0.1:${port}/newer): it refuses the password: correct the user or the password\n`,
  )
  expect(await refusedWith(urlOf("nowhere"))).toContain("it has no database of that name")
  expect(await refusedWith(urlOf("closed"))).toContain("the user lacks permission to make tables")
})

test("an unknown host, and one where nothing listens", async () => {
  expect(await refusedWith(urlOf("newer", { host: "no-such-host.invalid" }))).toMatch(
    /its host (?:is not known|cannot be looked up now)/,
  )
  expect(await refusedWith(urlOf("newer", { at: 1 }))).toContain("nothing listens there")
})

test("a server that is no PostgreSQL, and one that says nothing", async () => {
  const http = await listen(createHttpServer((_request, response) => response.end("hello")))
  expect(await refusedWith(urlOf("newer", { at: http }))).toContain("it is not a PostgreSQL")
  const silent = await listen(createServer())
  expect(await refusedWith(urlOf("newer", { at: silent }))).toContain("it does not answer")
}, 120_000)

test("a server older than 15", async () => {
  const url = ownersUrl("older")
  // The server says so in a function that hides its own.
  await query(
    url,
    `create function public.current_setting(text) returns text language sql as $$
     select case $1 when 'server_version_num' then '140011' when 'server_version' then '14.11' else pg_catalog.current_setting($1) end $$`,
  )
  await query(url, "alter database older set search_path = public, pg_catalog")
  expect(await refusedWith(url)).toBe(
    "restwell: the database server is PostgreSQL 14.11, and Restwell needs 15 or newer: upgrade it, or set DATABASE_URL to another server. Nothing was changed\n",
  )
  expect(await query(url, "select from pg_namespace where nspname = 'restwell'")).toEqual([])
})

test("a database of a newer Restwell", async () => {
  const url = ownersUrl("newer")
  const pool = openPool({ connectionString: url, max: 1 }, () => {})
  await migrate(openDatabase(pool))
  await pool.end()
  await query(url, "insert into restwell.kysely_migration (name, timestamp) values ('0099-later', now()::text)")
  expect(await refusedWith(url)).toBe(
    "restwell: the database is of a newer Restwell (0099-later): start that version, or restore a backup made before the upgrade. Nothing was changed\n",
  )
})

test("a database whose tables another build made", async () => {
  const url = ownersUrl("foreign_build")
  await query(ownersUrl("postgres"), "create database foreign_build")
  const pool = openPool({ connectionString: url, max: 1 }, () => {})
  await migrate(openDatabase(pool))
  await pool.end()
  await query(url, "alter table restwell.record drop column candidate")
  expect(await refusedWith(url)).toBe(
    "restwell: the tables of the database are not those of this Restwell: start the build that made them, restore a backup that this one made, or set DATA_DIR or DATABASE_URL to another place. Nothing was changed\n",
  )
})

test("a database of another encoding, and one whose transactions are isolated otherwise", async () => {
  await query(ownersUrl("postgres"), "create database ascii encoding 'SQL_ASCII' locale 'C' template template0")
  await query(ownersUrl("postgres"), "create database strict")
  await query(ownersUrl("postgres"), "alter database strict set default_transaction_isolation = 'serializable'")
  expect(await refusedWith(ownersUrl("ascii"))).toBe(
    "restwell: the database has the encoding SQL_ASCII, and Restwell needs UTF8: create another one (create database NAME encoding 'UTF8' template template0) and set DATABASE_URL to it. Nothing was changed\n",
  )
  expect(await refusedWith(ownersUrl("strict"))).toMatch(
    /isolation level of the database is serializable, and Restwell needs read committed: alter database strict set .* Nothing was changed\n$/,
  )
  for (const name of ["ascii", "strict"])
    expect(await query(ownersUrl(name), "select from pg_namespace where nspname = 'restwell'")).toEqual([])
})

test("a process with another secret starts only with the database's own as a former one, or after that is given up", async () => {
  await query(ownersUrl("postgres"), "create database encrypted")
  const DATABASE_URL = ownersUrl("encrypted")
  const [own, other] = [TEST_SECRET, "the secret of another installation, 32"]
  const start = async (environment: Readonly<Record<string, string>>) =>
    (await startServiceProcess({ environment: { DATABASE_URL, ...environment } })).stop()
  const storedKey = () => query(DATABASE_URL, "select key_id, sealed from restwell.signing_key")
  expect(await start({ RESTWELL_SECRET: own })).toBe(0)
  const key = await storedKey()
  expect(key).toHaveLength(1)
  for (const command of ["start", "start --role worker"].map((line) => line.split(" "))) {
    const refused = await runCommand(command, { DATABASE_URL, RESTWELL_SECRET: other, PORT: "0" })
    expect([refused.code, refused.errors]).toEqual([
      1,
      expect.stringMatching(
        /^restwell: this database was encrypted with another secret: .* RESTWELL_FORMER_SECRETS\. If it is lost, run: restwell re-encrypt --forget-lost-secret\. .* Nothing was changed\n$/,
      ),
    ])
  }
  expect(await start({ RESTWELL_SECRET: other, RESTWELL_FORMER_SECRETS: JSON.stringify([own]) })).toBe(0)
  expect(await storedKey()).toEqual(key)
  const forgotten = await runCommand(["re-encrypt", "--forget-lost-secret"], { DATABASE_URL, RESTWELL_SECRET: other })
  expect([forgotten.code, forgotten.output]).toEqual([
    0,
    expect.stringContaining("the service can start with this secret"),
  ])
  expect(await start({ RESTWELL_SECRET: other })).toBe(0)
  expect(await storedKey()).not.toEqual(key)
}, 120_000)
