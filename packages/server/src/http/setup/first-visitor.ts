import { isIP } from "node:net"
import { type Context, Forbidden, hasAccounts } from "@restwell/core"
import type { FastifyRequest } from "fastify"
import type { Config } from "../../config/config.ts"
import { networkOf } from "../../network/network-of.ts"
import { isPublicAddress } from "../../network/public-address.ts"
import type { Handler } from "../plumbing/route.ts"

export interface FirstVisitServices {
  readonly context: Pick<Context, "database">
  readonly config: Pick<Config, "trustProxy">
}

/** Headers of proxies and tunnels, which hide where a visitor is. */
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "cf-connecting-ip", "true-client-ip", "via"]

/**
 * True for a visitor on this machine or in its own network. A visitor behind a proxy may be anywhere, unless TRUST_PROXY names the proxy: its
 * address is then the visitor's own.
 */
export function isNearby(request: FastifyRequest, { trustProxy }: FirstVisitServices["config"]): boolean {
  const isForwarded = FORWARDED.some((name) => request.headers[name] !== undefined)
  if (isForwarded && (trustProxy === false || trustProxy === true)) return false
  const network = networkOf(request.ip)
  return network !== "unknown" && !isPublicAddress(request.ip.replace(/^::ffff:/, "")) && isIP(request.ip) !== 0
}

/** True for a name that no other site can give to this machine: an IP address, or localhost. Other names may be a rebinding attack. */
export function isOwnName(host: string): boolean {
  const { hostname } = URL.parse(`http://${host}`) ?? { hostname: "" }
  return hostname === "localhost" || isIP(hostname.replace(/^\[|\]$/g, "")) !== 0
}

/** The handler, except for a stranger while no account exists: the first person owns the installation. @throws {Forbidden} */
export const refuseFirstStranger =
  ({ context, config }: FirstVisitServices, handle: Handler): Handler =>
  async (request, reply) => {
    if (!isNearby(request, config) && !(await hasAccounts(context)))
      throw new Forbidden("this Restwell has no owner yet: open /setup, with the code that the start has printed")
    return handle(request, reply)
  }
