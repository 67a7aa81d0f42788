import { isIPv6, SocketAddress } from "node:net"

/** IPv4 in IPv6's clothes, as a socket that listens for both shows it. RFC 4291 2.5.5.2 */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * The network that all of a visitor's addresses are in: an IPv6 address' /64, for that is what a home or office is given (RFC 6177),
 * an IPv4 address itself. However an address is written, its network is one text.
 */
export function networkOf(address: string): string {
  const [withoutZone = address] = address.split("%")
  if (!isIPv6(withoutZone)) return address
  const canonical = new SocketAddress({ address: withoutZone, family: "ipv6" }).address
  return MAPPED.exec(canonical)?.[1] ?? `${groupsOf(canonical).slice(0, NETWORK_GROUPS).join(":")}::/64`
}

/** The groups of an address in its shortest form, where `::` stands for all groups that are zero in a row. */
function groupsOf(canonical: string): string[] {
  const [before = [], after = []] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const zeros = Array<string>(GROUPS - before.length - after.length).fill("0")
  return [...before, ...zeros, ...after]
}
