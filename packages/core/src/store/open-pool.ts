import { Socket } from "node:net"
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from "pg"

const DATE_OID = 1082

export interface PoolSettings extends PoolConfig {
  /**
   * A connection that waits longer for an answer is closed, and its statement fails. Without it, a network that drops every packet
   * would be noticed after a quarter of an hour. @default never
   */
  readonly longestSilenceMs?: number
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

/** A client with a limit on the silence of its connection. */
class WatchedClient extends Client {
  readonly #socket: Socket

  constructor(config: ClientConfig = {}) {
    const socket = new Socket()
    socket.on("timeout", () => socket.destroy(new SilentDatabase("the database has gone quiet")))
    socket.setTimeout(LONGEST_CONNECT_MS)
    // The pool hides the password from a spread.
    super({ ...config, password: config.password, stream: () => socket })
    this.#socket = socket
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

  constructor({ longestSilenceMs = 0, ...config }: PoolSettings) {
    super({ ...config, Client: WatchedClient })
    this.on("connect", (client) => client instanceof WatchedClient && client.watch(0))
    this.on("acquire", (client) => {
      if (!(client instanceof WatchedClient)) return
      this.#inUse.add(client)
      client.watch(longestSilenceMs)
    })
    this.on("release", (_error, client) => {
      if (!(client instanceof WatchedClient)) return
      this.#inUse.delete(client)
      client.watch(0)
    })
  }

  /** Ends when statements in progress are answered, or after some seconds of silence. */
  async endSoon(): Promise<void> {
    const ended = this.end()
    for (const client of this.#inUse) client.watch(SILENCE_AT_END_MS)
    await ended
  }
}

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
