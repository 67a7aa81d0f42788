// The addresses of a host that a stranger or a person named, and a connection to these addresses alone.
import { Resolver, lookup as systemLookup } from "node:dns/promises"
import type { AgentOptions } from "node:https"
import { isIP } from "node:net"
import { SECOND_MS } from "@restwell/client/time-units"
import { limitOfEach } from "@restwell/core"

/** One of a host's addresses from the resolver. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Returns all addresses of a host. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>

const DNS_TIMEOUT_MS = 2 * SECOND_MS
const DNS_TRIES = 2

/**
 * Asks the name servers. The system's resolver would hold a thread for each name whose servers do not answer, and its two threads are also
 * those of the database, the vendors and mail. It knows no names of /etc/hosts and no `.local` ones.
 * @param servers @default those of the system
 * @see https://docs.libuv.org/en/v1.x/threadpool.html
 */
export const lookupInDns =
  (servers?: readonly string[]): Lookup =>
  async (hostname) => {
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
    if (servers) resolver.setServers(servers)
    const [v4, v6] = await Promise.all([
      resolver.resolve4(hostname).catch(() => []),
      resolver.resolve6(hostname).catch(() => []),
    ])
    return [
      ...v4.map((address) => ({ address, family: 4 as const })),
      ...v6.map((address) => ({ address, family: 6 as const })),
    ]
  }

const oneAtATime = limitOfEach(1)
const lookups = new Map<string, Promise<readonly ResolvedAddress[]>>()

/** By the system's resolver, which knows the names of a home network: one name at a time, so that it keeps a thread for others. */
export function lookupInSystem(hostname: string): Promise<readonly ResolvedAddress[]> {
  return lookups.getOrInsertComputed(hostname, () =>
    oneAtATime("system", async () => {
      const addresses = await systemLookup(hostname, { all: true })
      return addresses.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }) as const)
    }).finally(() => lookups.delete(hostname)),
  )
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
