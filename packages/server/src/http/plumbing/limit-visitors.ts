// Limits how many requests of one network and of one session are answered at a time: a visitor with many connections waits for itself alone.
import { limitOfEach, TooManyRequests } from "@restwell/core"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { parseSigned, sessionCookies } from "../../accounts/better-auth.ts"
import { networkOf, reachOf } from "../../network/addresses.ts"

/** More are refused: each one that waits needs a connection and memory. */
const MOST_WAITING = 256
/** A request that takes longer waits for something else than this thread, as for its body, and makes room. */
const LONGEST_MS = 2_000
const RETRY_AFTER_SECONDS = 1

interface VisitorLimit {
  /** What the requests have in common. Undefined without a limit. */
  readonly visitorOf: (request: FastifyRequest) => string | undefined
  readonly atATime: number
  /** For the message. */
  readonly who: string
}

/**
 * A browser opens six connections to an address. What a page asks for at once takes the thread that answers everybody, so two of a session's
 * requests are answered at a time.
 */
const LIMITS: readonly VisitorLimit[] = [
  { visitorOf: limitedNetworkOf, atATime: 8, who: "network" },
  { visitorOf: sessionOf, atATime: 2, who: "session" },
]

/**
 * Lets requests of one visitor wait for each other. Programs on this computer that come without a proxy and a session have no limit.
 * @param wait resolves after that many milliseconds of real time, and keeps no process from ending
 */
export function limitVisitors(app: FastifyInstance, wait: (milliseconds: number) => Promise<void>): void {
  for (const limit of LIMITS) limitVisitor(app, wait, limit)
}

function limitVisitor(
  app: FastifyInstance,
  wait: (milliseconds: number) => Promise<void>,
  { visitorOf, atATime, who }: VisitorLimit,
): void {
  const inTurn = limitOfEach(atATime, { most: MOST_WAITING, refuse: () => tooMany(who) })
  app.addHook("onRequest", (request, reply, done) => {
    const visitor = visitorOf(request)
    if (visitor === undefined) return done()
    inTurn(visitor, async () => {
      // The client may be gone after it has waited.
      if (reply.raw.closed) return
      const { promise: closed, resolve } = Promise.withResolvers<void>()
      reply.raw.once("close", resolve)
      done()
      await Promise.race([closed, wait(LONGEST_MS)])
    }).catch(done)
  })
}

/** Undefined without a limit. A proxy on this computer names the visitor, as far as TRUST_PROXY believes it. */
function limitedNetworkOf({ ip, ips }: FastifyRequest): string | undefined {
  const isForwarded = (ips?.length ?? 1) > 1
  return !isForwarded && reachOf(ip) === "this_computer" ? undefined : networkOf(ip)
}

/** Files of the page take no time of the thread. A browser sends one session: other forms of a cookie give nobody more turns. */
function sessionOf({ routeOptions, headers, ip }: FastifyRequest): string | undefined {
  // Not by the path as it was sent, which has other spellings.
  if (!routeOptions.url?.startsWith("/api/")) return undefined
  const [first, ...others] = sessionCookies(headers.cookie)
  if (first === undefined) return undefined
  return others.length > 0 ? `sessions of ${networkOf(ip)}` : parseSigned(first)?.text
}

const tooMany = (who: string): TooManyRequests =>
  new TooManyRequests(`at most ${MOST_WAITING} requests of one ${who} wait at a time, try again`, {
    limit: MOST_WAITING,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
