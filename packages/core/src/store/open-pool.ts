import { Socket } from "node:net"
import { Client, type ClientConfig, Pool, type PoolConfig, types } from "pg"

const DATE_OID = 1082

export interface PoolSettings extends PoolConfig {
  /**
   * A connection in use that hears nothing for so long is given up, with its statement: where the network swallows everything, nothing else
   * would tell before a quarter of an hour. @default never
   */
  readonly longestSilenceMs?: number
}

/** The database, or the way to it, has gone quiet in the middle of a statement. */
class SilentDatabase extends Error {
  override readonly name = "SilentDatabase"
  readonly code = "ETIMEDOUT"
}

/** Longer than this no way to a database takes, were it round the world. */
const LONGEST_CONNECT_MS = 10_000
/** What is left in use when the pool ends has been told to stop long before. */
const SILENCE_AT_END_MS = 3_000

/** A client that can be told to break when it hears nothing. */
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

  /** @param longestSilenceMs 0 for any */
  watch(longestSilenceMs: number): void {
    this.#socket.setTimeout(longestSilenceMs)
  }
}

/** A pool that ends also when the network has swallowed what it waits for. */
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

  /** Ends when what is in use has been answered, or hears nothing for some seconds. */
  async endSoon(): Promise<void> {
    const ended = this.end()
    for (const client of this.#inUse) client.watch(SILENCE_AT_END_MS)
    await ended
  }
}

/**
 * A pool whose calendar dates stay text: a date has no time and no zone, and a JavaScript Date would give it both.
 * @param onIdleError told when a connection that nobody uses breaks, as all do when the database restarts; the pool opens new ones
 */
export function openPool(settings: PoolSettings, onIdleError: (error: Error) => void): WatchedPool {
  const pool = new WatchedPool({
    ...settings,
    types: {
      getTypeParser: (oid, format) => (oid === DATE_OID ? (text: string) => text : types.getTypeParser(oid, format)),
    },
  })
  // A connection that breaks in use fails its statement, and then tells all who listen to it: where nobody does, the process ends.
  pool.on("connect", (client) => void client.on("error", () => {}))
  pool.on("error", onIdleError)
  return pool
}
