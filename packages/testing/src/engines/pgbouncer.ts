import { chmod, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { reservePort } from "../port/reserve-port.ts"
import { EngineProcess, makeEngineFolder } from "./engine-process.ts"
import type { Engines } from "./find-engines.ts"
import { queryOnce } from "./query-once.ts"

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
