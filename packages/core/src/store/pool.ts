import { readFileSync } from "node:fs"
import { Socket } from "node:net"
import {
  Client,
  type ClientBase,
  type ClientConfig,
  type CustomTypesConfig,
  Pool,
  type PoolClient,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
  types,
} from "pg"
import { isDiskFull, LostConnection } from "./database-trouble.ts"

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** How values are parsed where the pool's own way does not do. */
  readonly types?: CustomTypesConfig
}

/** A statement from the `.sql` file of its name in `statements`. */
export const readStatement = (name: string): Statement => ({
  name,
  text: readFileSync(new URL(`statements/${name}.sql`, import.meta.url), "utf8"),
})

const DATE_OID = 1082

export interface PoolSettings extends PoolConfig {
  /**
   * A connection that waits longer for an answer is closed, and its statement fails. Without it, a network that drops every packet
   * would be noticed after a quarter of an hour. @default never
   */
  readonly longestSilenceMs?: number
  /**
   * A pooler is in front of the database and may give each transaction another session, like PgBouncer in transaction mode. Nothing is then
   * kept in a session: no prepared statement, and no setting that outlives a transaction. @default false
   */
  readonly sharesSessions?: boolean
}

/** The database or the network stopped answering during a statement. */
class SilentDatabase extends Error {
  override readonly name = "SilentDatabase"
  readonly code = "ETIMEDOUT"
}

/** Even a connection around the world takes less. */
const LONGEST_CONNECT_MS = 10_000
/** Connections still in use when the pool ends were asked to stop long before. */
const SILENCE_AT_END_MS = 3_000

/** A statement that writes came to a standby, or to a primary that has become one. @see https://www.postgresql.org/docs/18/errcodes-appendix.html */
const READ_ONLY = "25006"

/** pg's words for a connection that broke before a statement. */
const NOT_QUERYABLE = /^Client (?:was closed|has encountered a connection error)/

/** A client with a limit on the silence of its connection. */
class WatchedClient extends Client {
  readonly #socket: Socket
  #isReadOnly = false
  #metFullDisk = false
  #loss: Error | undefined

  constructor(config: ClientConfig = {}) {
    const socket = new Socket()
    socket.on("timeout", () => {
      socket.destroy(new SilentDatabase("the database does not answer"))
      this.emit("silent")
    })
    socket.setTimeout(LONGEST_CONNECT_MS)
    // The pool hides the password from a spread.
    super({ ...config, password: config.password, stream: () => socket })
    this.#socket = socket
    this.on("error", (error) => {
      this.#loss ??= error
    })
    this.query = new Proxy(this.query, {
      apply: (run, client, values) => this.#namingLoss(Reflect.apply(run, client, values)),
    })
    this.connection.on("errorMessage", (message: unknown) => {
      if (message instanceof Error && "code" in message && message.code === READ_ONLY) this.#isReadOnly = true
      if (isDiskFull(message)) this.#metFullDisk = true
    })
  }

  /** pg answers each statement after a loss with a text that does not say what happened. */
  #namingLoss(result: unknown): unknown {
    if (!(result instanceof Promise)) return result
    return result.catch((error: unknown) => {
      const isLater = error instanceof Error && NOT_QUERYABLE.test(error.message)
      throw isLater && this.#loss ? new LostConnection(this.#loss) : error
    })
  }

  /** True after the server refused to write. A new connection may reach the primary. */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /** True if a statement since the last call found no space for its rows. */
  takeFullDisk(): boolean {
    const met = this.#metFullDisk
    this.#metFullDisk = false
    return met
  }

  /** @param longestSilenceMs 0 for no limit */
  watch(longestSilenceMs: number): void {
    this.#socket.setTimeout(longestSilenceMs)
  }

  /** Closes the connection at once, in the middle of an answer too. */
  abandon(): void {
    this.#socket.destroy()
  }
}

/** Ends a connection of a pool whose statement is not read to its end: the server would wait for its reader. */
export function abandon(client: PoolClient): void {
  if (client instanceof WatchedClient) client.abandon()
  client.release(true)
}

/** A pool that also ends when the network has lost an answer. */
export class WatchedPool extends Pool {
  readonly #inUse = new Set<WatchedClient>()
  readonly #idle = new Set<WatchedClient>()
  readonly #perTransaction: string | undefined
  /** True after a statement that found no space for its rows, until somebody sets it back. */
  wasDiskFull = false

  constructor({ longestSilenceMs = 0, sharesSessions = false, ...config }: PoolSettings) {
    super({ ...(sharesSessions ? withoutStartParameters(config) : config), Client: WatchedClient })
    this.#perTransaction = sharesSessions ? `begin; set local statement_timeout = ${timeoutOf(config)}` : undefined
    this.on("connect", (client) => {
      if (!(client instanceof WatchedClient)) return
      client.watch(0)
      client.once("silent", () => this.#dropIdle())
    })
    this.on("remove", (client) => client instanceof WatchedClient && this.#idle.delete(client))
    this.on("acquire", (client) => {
      if (!(client instanceof WatchedClient)) return
      this.#idle.delete(client)
      this.#inUse.add(client)
      client.watch(longestSilenceMs)
    })
    this.on("release", (_error, client) => {
      if (!(client instanceof WatchedClient)) return
      this.#inUse.delete(client)
      this.#idle.add(client)
      client.watch(0)
      if (client.takeFullDisk()) this.wasDiskFull = true
      if (!client.isReadOnly) return
      // The pool drops a client that is ending. Idle connections lead to the same server, and have only not written yet.
      void client.end()
      this.#idle.delete(client)
      this.#dropIdle()
    })
  }

  /** Runs a statement within `statement_timeout`, prepared where sessions last. */
  async run<Row extends QueryResultRow>(
    { name, ...statement }: Statement,
    values: unknown[],
  ): Promise<QueryResult<Row>> {
    if (this.#perTransaction === undefined) return this.query<Row>({ ...statement, name, values })
    const client = await this.connect()
    try {
      await client.query(this.#perTransaction)
      const result = await client.query<Row>({ ...statement, values })
      await client.query("commit")
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Other connections to a server that no longer answers would let one statement after the other wait for it. */
  #dropIdle(): void {
    for (const client of this.#idle) client.abandon()
  }

  /** Ends when statements in progress are answered, or after some seconds of silence. */
  async endSoon(): Promise<void> {
    const ended = this.end()
    for (const client of this.#inUse) client.watch(SILENCE_AT_END_MS)
    await ended
  }
}

const timeoutOf = ({ statement_timeout: limit }: PoolConfig): number => (typeof limit === "number" ? limit : 0)

/** A pooler refuses parameters of the connection that it does not know. */
const withoutStartParameters = ({
  statement_timeout: _timeout,
  options: _options,
  ...config
}: PoolConfig): PoolConfig => config

/**
 * A pool that returns calendar dates as text: a date has no time and no zone, and a JavaScript Date would add both.
 * @param onIdleError called when an idle connection breaks, as when the database restarts. The pool opens new ones.
 */
export function openPool(settings: PoolSettings, onIdleError: (error: Error) => void): WatchedPool {
  const pool = new WatchedPool({
    ...settings,
    types: {
      getTypeParser: (oid, format) => (oid === DATE_OID ? (text: string) => text : types.getTypeParser(oid, format)),
    },
  })
  // A connection that breaks in use fails its statement and then emits an error, which would end the process without a listener.
  pool.on("connect", (client) => void client.on("error", () => {}))
  pool.on("error", onIdleError)
  return pool
}

/** Runs a statement on a connection that keeps it prepared, or unprepared where a pooler shares the sessions. */
export const runStatement = <Row extends QueryResultRow>(
  pool: Pool,
  statement: Statement,
  values: unknown[],
): Promise<QueryResult<Row>> =>
  pool instanceof WatchedPool ? pool.run<Row>(statement, values) : pool.query<Row>({ ...statement, values })

/** True if a pooler is in front of the database: it answers with a process id of its own making, because no session belongs to the client. */
export async function isBehindPooler(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid")
  return "processID" in client && client.processID !== rows[0]?.pid
}
