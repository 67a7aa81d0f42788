// Hosts of the home network that the owner allowed: how an entry is written, and which addresses it is for.
import { isIPv6 } from "node:net"
import { mappedIPv4 } from "./addresses.ts"
import { plainHost } from "./resolve-host.ts"
import { isServicePort, portOf } from "./service-ports.ts"

/** A host or an IP address, with a port or not. Compose names hosts with `_`. */
const ENTRY = /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d._-]*[a-z\d])?)(?::(?<port>\d{1,5}))?$/

/** Returns an entry as addresses are compared with it. Undefined if it is none. An IPv6 address has brackets or not, but with a port. */
export function readPrivateHost(text: string): string | undefined {
  const entry = isIPv6(text) ? `[${text}]` : text.toLowerCase()
  const parts = ENTRY.exec(entry)
  // The URL has one spelling for each address, and no port above 65535. It drops port 80.
  const url = URL.parse(`http://${entry}`)
  if (!parts || !url) return undefined
  const port = parts.groups?.["port"]
  return port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}`
}

/** True if an entry is for the address. An entry without a port is for every port but those of other services, such as mail and databases. */
export function isListed(url: URL, hosts: readonly string[]): boolean {
  const host = hostOf(url)
  const port = portOf(url)
  return hosts.includes(`${host}:${port}`) || (hosts.includes(host) && !isServicePort(port))
}

/** The host of a URL, an IPv4 address also where it is written as an IPv6 one. */
function hostOf({ hostname }: URL): string {
  const address = plainHost(hostname)
  return (isIPv6(address) ? mappedIPv4(address) : undefined) ?? hostname
}
