import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { access, chmod, chown, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { type OsUser, postgresUser } from "@restwell/postgres"
import { Client, type QueryResultRow } from "pg"
import { makeFolder, reservePort } from "./port-and-folder.ts"

/** Where Debian installs PostgreSQL 15. `POSTGRES_BIN` names another folder of programs. */
const DEBIAN_POSTGRES = "/usr/lib/postgresql/15/bin"

/** Programs of the operating system that some tests need. */
export interface Engines {
  /** The folder of `postgres`, `initdb` and `pg_basebackup`. */
  readonly postgres: string
  readonly pgbouncer: string
}

/** The installed programs, or what to install. */
export async function findEngines(): Promise<Engines | { readonly missing: string }> {
  const { POSTGRES_BIN = DEBIAN_POSTGRES, PATH = "" } = process.env
  const folders = [...PATH.split(delimiter), "/usr/sbin"]
  const hasPostgres = await exists(join(POSTGRES_BIN, "pg_basebackup"))
  const pgbouncer = await firstOf(folders.map((folder) => join(folder, "pgbouncer")))
  if (hasPostgres && pgbouncer !== undefined) return { postgres: POSTGRES_BIN, pgbouncer }
  const missing = [!hasPostgres && "postgresql-15", pgbouncer === undefined && "pgbouncer"].filter(Boolean)
  return { missing: `skipped, install with: apt-get install --no-install-recommends ${missing.join(" ")}` }
}

/** The first of these paths at which there is a file. */
export async function firstOf(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path
  return undefined
}

export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Runs one statement on a connection of its own. */
export async function queryOnce<Row extends QueryResultRow>(
  connectionString: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString })
  // A connection that breaks fails its statement, and then emits an error.
  client.on("error", () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

const LONGEST_START_MS = 20_000
const LOOK_AGAIN_MS = 20
const KEPT_CHARACTERS = 4_000

/** Makes a temporary folder of the user who runs the programs: both refuse to run as root. */
export async function makeEngineFolder(
  name: string,
): Promise<{ readonly folder: string; readonly user: OsUser | undefined }> {
  const user = await postgresUser()
  const folder = await makeFolder(name)
  if (user) await chown(folder, user.uid, user.gid)
  return { folder, user }
}

/** Makes a folder inside of it that only its user can enter. */
async function makePrivateFolder(path: string, user: OsUser | undefined): Promise<void> {
  await mkdir(path, { mode: 0o700 })
  if (user) await chown(path, user.uid, user.gid)
}

/** Runs a program to its end. @throws with what it printed, if it fails */
async function runEngine(program: string, parameters: readonly string[], user: OsUser | undefined): Promise<void> {
  const running = new EngineProcess(program, parameters, user)
  const code = await running.ended
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${running.output}`)
}

/** A program that runs until it is stopped. */
export class EngineProcess {
  readonly #child: ChildProcess
  readonly ended: Promise<number | NodeJS.Signals>
  #output = ""

  /** @param environment beside the language. @default nothing */
  constructor(
    program: string,
    parameters: readonly string[],
    user: OsUser | undefined,
    environment: Readonly<Record<string, string>> = {},
  ) {
    // Programs of PostgreSQL want a working directory that they may enter.
    this.#child = spawn(program, parameters, {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: "/",
      ...user,
      env: { LANG: "C.UTF-8", ...environment },
    })
    for (const output of [this.#child.stdout, this.#child.stderr])
      output?.on("data", (chunk) => {
        this.#output = (this.#output + chunk).slice(-KEPT_CHARACTERS)
      })
    this.ended = once(this.#child, "close").then(([code, signal]) => code ?? signal)
  }

  /** The end of what it printed. */
  get output(): string {
    return this.#output
  }

  get pid(): number {
    return this.#child.pid ?? Number.NaN
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.isRunning) this.signal(signal)
    await this.ended
  }

  /** Waits until a database answers at this address. */
  async answersAt(url: string): Promise<void> {
    const deadline = performance.now() + LONGEST_START_MS
    while (this.isRunning && performance.now() < deadline) {
      if (await queryOnce(url, "select 1").then(Boolean, () => false)) return
      await wait(LOOK_AGAIN_MS)
    }
    throw new Error(`no database answers at ${url}: ${this.#output}`)
  }
}

const USER = "restwell"
const LOOK_FOR_STANDBY_MS = 10

export type ClusterSettings = Readonly<Record<string, string>>

/** A PostgreSQL of the operating system, over TCP, with a user and a database `restwell`. */
export interface InstalledPostgres {
  readonly port: number
  readonly url: string
  /** The address of another database of it. */
  urlOf(database: string): string
  /** Makes a standby from it. Every commit waits for the standby from then on. */
  addSynchronousStandby(): Promise<InstalledPostgres>
  /** Makes a primary of a standby. Resolves when it accepts writes. */
  promote(): Promise<void>
  /** Kills all of its processes with -9. */
  kill(): Promise<void>
  /** Stops all of its processes in place, as if its machine no longer answered. */
  freeze(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

/** Makes and starts a PostgreSQL. */
export async function startCluster(engines: Engines, settings: ClusterSettings = {}): Promise<InstalledPostgres> {
  const { folder, user } = await makeEngineFolder("cluster")
  const directory = join(folder, "data")
  const initdb = ["-D", directory, "-U", USER, "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"]
  await runEngine(join(engines.postgres, "initdb"), initdb, user)
  const server = await startServer({ engines, settings, folder, user })
  await queryOnce(server.urlOf("postgres"), "create database restwell")
  return server
}

interface Installation {
  readonly engines: Engines
  readonly settings: ClusterSettings
  /** Its files are in `data`. */
  readonly folder: string
  readonly user: OsUser | undefined
}

async function startServer({ engines, settings, folder, user }: Installation): Promise<InstalledPostgres> {
  const reserved = reservePort()
  const { port } = reserved
  const all = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: folder, ...settings }
  const parameters = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  const program = join(engines.postgres, "postgres")
  const server = new EngineProcess(program, ["-D", join(folder, "data"), ...parameters], user)
  const urlOf = (database: string) => `postgres://${USER}@127.0.0.1:${port}/${database}`
  await server.answersAt(urlOf("postgres"))
  return {
    port,
    url: urlOf("restwell"),
    urlOf,
    addSynchronousStandby: () => addStandby(engines, settings, urlOf("postgres"), port),
    async promote() {
      await queryOnce(urlOf("postgres"), "select pg_promote()")
    },
    async kill() {
      await signalAll(server.pid, "SIGKILL")
      await server.ended
    },
    freeze: () => signalAll(server.pid, "SIGSTOP"),
    async remove() {
      if (server.isRunning) await signalAll(server.pid, "SIGCONT")
      await server.stop("SIGQUIT")
      reserved[Symbol.dispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function addStandby(
  engines: Engines,
  settings: ClusterSettings,
  primaryUrl: string,
  primaryPort: number,
): Promise<InstalledPostgres> {
  const { folder, user } = await makeEngineFolder("standby")
  const directory = join(folder, "data")
  await makePrivateFolder(directory, user)
  const source = ["-h", "127.0.0.1", "-p", String(primaryPort), "-U", USER]
  const copy = [...source, "-D", directory, "--checkpoint=fast", "--no-sync", "--write-recovery-conf"]
  await runEngine(join(engines.postgres, "pg_basebackup"), copy, user)
  const standby = await startServer({ engines, settings, folder, user })
  await queryOnce(primaryUrl, "alter system set synchronous_standby_names = '*'")
  await queryOnce(primaryUrl, "select pg_reload_conf()")
  const isSynchronous = "select from pg_stat_replication where sync_state = 'sync'"
  while ((await queryOnce(primaryUrl, isSynchronous)).length === 0) await wait(LOOK_FOR_STANDBY_MS)
  return standby
}

/** The first process of a server and its children, which lead sessions of their own. Only Linux lists them in files. */
export async function signalAll(pid: number, signal: NodeJS.Signals): Promise<void> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")
  for (const each of [pid, ...children.split(" ").filter(Boolean).map(Number)]) {
    try {
      process.kill(each, signal)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
    }
  }
}

/** A PgBouncer in transaction mode, in front of all databases of one server. */
export interface PgBouncer {
  readonly port: number
  /** The database `restwell`. */
  readonly url: string
  /** Reads its configuration again, with another server behind it. */
  pointTo(port: number): Promise<void>
  /** Ends it at once, with all connections, and starts it again after some time. */
  restart(absenceMs: number): Promise<void>
  remove(): Promise<void>
}

export interface PgBouncerOptions {
  /** The port of the server behind it. */
  readonly serverPort: number
  /** Lines of its configuration beside ours. */
  readonly settings?: Readonly<Record<string, string>>
}

export async function startPgBouncer(engines: Engines, { serverPort, settings }: PgBouncerOptions): Promise<PgBouncer> {
  const { folder, user } = await makeEngineFolder("pgbouncer")
  const reserved = reservePort()
  const { port } = reserved
  const file = join(folder, "pgbouncer.ini")
  const url = `postgres://restwell@127.0.0.1:${port}/restwell`
  const configure = async (server: number) => {
    await writeFile(file, configuration(port, server, settings))
    await chmod(file, 0o644)
  }
  const start = async () => {
    const started = new EngineProcess(engines.pgbouncer, ["-q", file], user)
    await started.answersAt(url)
    return started
  }
  await configure(serverPort)
  let running = await start()
  return {
    port,
    url,
    async pointTo(server) {
      await configure(server)
      // The console answers when the file is read.
      await queryOnce(`postgres://restwell@127.0.0.1:${port}/pgbouncer`, "reload")
    },
    async restart(absenceMs) {
      await running.stop("SIGTERM")
      await wait(absenceMs)
      running = await start()
    },
    async remove() {
      await running.stop("SIGTERM")
      reserved[Symbol.dispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** As an operator would write it, with a server that accepts everybody. */
const configuration = (port: number, serverPort: number, settings: Readonly<Record<string, string>> = {}): string => {
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    max_client_conn: "1000",
    default_pool_size: "10",
    admin_users: "restwell",
    // By default it waits 15 seconds after a failure before it tries the server again.
    server_login_retry: "1",
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  return `[databases]\n* = host=127.0.0.1 port=${serverPort} user=restwell\n\n[pgbouncer]\n${lines.join("\n")}\n`
}
