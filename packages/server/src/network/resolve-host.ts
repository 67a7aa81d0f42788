// The addresses of a host that a stranger or a person named, and a connection to these addresses alone.
import { lookup as systemLookup } from "node:dns/promises"
import type { AgentOptions } from "node:https"
import { isIP } from "node:net"

/** One of a host's addresses from the resolver. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Returns all addresses of a host. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** By the system's resolver. */
export async function lookupAll(hostname: string): Promise<ResolvedAddress[]> {
  const addresses = await systemLookup(hostname, { all: true })
  return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

/** The host of a URL without the brackets of an IPv6 address. */
export const plainHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

/** Returns the addresses of a URL's host, none for an unknown name. */
export async function resolveHost(hostname: string, lookup: Lookup): Promise<readonly ResolvedAddress[]> {
  const host = plainHost(hostname)
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }]
  return lookup(host).catch(() => [])
}

/**
 * Options of an agent that connects to checked addresses, even if the name resolves to others by now, and shares no connection, TLS session
 * or proxy setting. @param ca certificate authorities in place of the usual ones, PEM
 */
export const separateConnection = (addresses: readonly ResolvedAddress[], ca?: string): AgentOptions => ({
  keepAlive: false,
  maxCachedSessions: 0,
  lookup: (_hostname, _options, found) => found(null, [...addresses]),
  autoSelectFamily: true,
  rejectUnauthorized: true,
  ...(ca !== undefined && { ca }),
})
