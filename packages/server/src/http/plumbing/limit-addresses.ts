// Limits how many requests of one network are answered at a time: a network with many connections waits for its own requests alone.
import { TooManyRequests } from "@restwell/core"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { networkOf, reachOf } from "../../network/addresses.ts"

/** A browser opens six connections to an address. */
const AT_A_TIME = 8
/** More are refused: each one that waits needs a connection and memory. */
const MOST_WAITING = 256
/** A request that takes longer waits for something else than this thread, as for its body, and makes room. */
const LONGEST_MS = 2_000
const RETRY_AFTER_SECONDS = 1

/**
 * Lets requests of one network wait for each other. Programs on this computer that come without a proxy have no limit.
 * @param wait resolves after that many milliseconds of real time, and keeps no process from ending
 */
export function limitAddresses(app: FastifyInstance, wait: (milliseconds: number) => Promise<void>): void {
  // As many as there are open connections: a network is forgotten after its last request.
  const networks = new Map<string, { running: number; readonly waiting: (() => void)[] }>()

  const end = (network: string): void => {
    const own = networks.get(network)
    if (!own) return
    own.running -= 1
    own.waiting.shift()?.()
    if (own.running === 0) networks.delete(network)
  }

  app.addHook("onRequest", (request, reply, done) => {
    const network = limitedNetworkOf(request)
    if (network === undefined) return done()
    const own = networks.getOrInsertComputed(network, () => ({ running: 0, waiting: [] }))
    const begin = (): void => {
      own.running += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      // The client may be gone after it has waited.
      if (reply.raw.closed) resolve()
      else reply.raw.once("close", resolve)
      void Promise.race([promise, wait(LONGEST_MS)]).then(() => end(network))
      if (!reply.raw.closed) done()
    }
    if (own.running < AT_A_TIME) begin()
    else if (own.waiting.length < MOST_WAITING) own.waiting.push(begin)
    else done(tooMany())
  })
}

/** Undefined without a limit. A proxy on this computer names the visitor, as far as TRUST_PROXY believes it. */
function limitedNetworkOf({ ip, ips }: FastifyRequest): string | undefined {
  const isForwarded = (ips?.length ?? 1) > 1
  return !isForwarded && reachOf(ip) === "this_computer" ? undefined : networkOf(ip)
}

const tooMany = (): TooManyRequests =>
  new TooManyRequests(`at most ${MOST_WAITING} requests of one network wait at a time, try again`, {
    limit: MOST_WAITING,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
