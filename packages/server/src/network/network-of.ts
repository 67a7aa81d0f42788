import { isIP, isIPv6, SocketAddress } from "node:net"

/** An IPv4-mapped IPv6 address, from a socket that accepts both. RFC 4291 2.5.5.2 */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * The network of a visitor: the /64 of an IPv6 address, which is what a home or office gets (RFC 6177), or the IPv4 address itself. All
 * spellings of an address give the same text. What a proxy sends in place of an address is one network, `unknown`: it may be any text.
 */
export function networkOf(address: string): string {
  const [withoutZone = address] = address.split("%")
  if (!isIPv6(withoutZone)) return isIP(address) === 0 ? "unknown" : address
  const canonical = new SocketAddress({ address: withoutZone, family: "ipv6" }).address
  return MAPPED.exec(canonical)?.[1] ?? `${groupsOf(canonical).slice(0, NETWORK_GROUPS).join(":")}::/64`
}

/** The groups of an address in its shortest form, where `::` replaces a run of zero groups. */
function groupsOf(canonical: string): string[] {
  const [before = [], after = []] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const zeros = Array<string>(GROUPS - before.length - after.length).fill("0")
  return [...before, ...zeros, ...after]
}
