import { type Context, Forbidden, hasAccounts } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import { reachOf } from "../../network/reach.ts"
import type { Handler } from "../plumbing/route.ts"

export interface FirstVisitServices {
  readonly context: Pick<Context, "database">
}

/** Headers of proxies and tunnels, which connect from this machine for visitors from anywhere. */
const PROXY_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "via",
]

/**
 * True for a visitor on this machine. A private address proves nothing: containers and routers connect from one for visitors from anywhere.
 * Another name than localhost may be a rebinding attack.
 */
export function isOnThisMachine({ headers, socket, raw }: FastifyRequest): boolean {
  // Unless they are told otherwise, many proxies speak HTTP/1.0 to this service and add no header.
  const isProxied = PROXY_HEADERS.some((name) => headers[name] !== undefined) || raw.httpVersion === "1.0"
  return !isProxied && isThisComputer(socket.remoteAddress ?? "") && isThisComputer(hostnameOf(headers.host))
}

const isThisComputer = (host: string): boolean => reachOf(host) === "this_computer"

const hostnameOf = (host: string | undefined): string => URL.parse(`http://${host}`)?.hostname ?? ""

/** The handler, except for a stranger while no account exists: the first person owns the installation. @throws {Forbidden} */
export const refuseFirstStranger =
  ({ context }: FirstVisitServices, handle: Handler): Handler =>
  async (request, reply) => {
    if (!isOnThisMachine(request) && !(await hasAccounts(context)))
      throw new Forbidden("this Restwell has no owner yet: open /setup, with the code that the start has printed")
    return handle(request, reply)
  }
