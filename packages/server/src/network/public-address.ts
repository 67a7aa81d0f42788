import { BlockList, isIPv4, isIPv6 } from "node:net"

/** IANA IPv4 Special-Purpose Address Registry, with multicast (RFC 5771) and the reserved class E (RFC 1112 4). */
const SPECIAL_IPV4: readonly (readonly [network: string, prefixBits: number])[] = [
  ["0.0.0.0", 8], // this network, RFC 791 3.2
  ["10.0.0.0", 8], // private, RFC 1918
  ["100.64.0.0", 10], // behind a carrier's translation, RFC 6598
  ["127.0.0.0", 8], // loopback, RFC 1122 3.2.1.3
  ["169.254.0.0", 16], // link-local, and where clouds keep a machine's credentials, RFC 3927
  ["172.16.0.0", 12], // private, RFC 1918
  ["192.0.0.0", 24], // protocol assignments, RFC 6890
  ["192.0.2.0", 24], // documentation, RFC 5737
  ["192.31.196.0", 24], // AS112, RFC 7535
  ["192.52.193.0", 24], // AMT, RFC 7450
  ["192.88.99.0", 24], // 6to4 relays, RFC 7526
  ["192.168.0.0", 16], // private, RFC 1918
  ["192.175.48.0", 24], // AS112, RFC 7534
  ["198.18.0.0", 15], // benchmarks, RFC 2544
  ["198.51.100.0", 24], // documentation, RFC 5737
  ["203.0.113.0", 24], // documentation, RFC 5737
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
]

/** Networks of the global unicast space in the IANA IPv6 Special-Purpose Address Registry. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefixBits: number])[] = [
  ["2001::", 23], // protocol assignments, Teredo among them, RFC 2928
  ["2001:db8::", 32], // documentation, RFC 3849
  ["2002::", 16], // 6to4: an IPv4 address within, RFC 3056
  ["2620:4f:8000::", 48], // AS112, RFC 7534
  ["3fff::", 20], // documentation, RFC 9637
]

const special = new BlockList()
for (const [network, prefixBits] of SPECIAL_IPV4) special.addSubnet(network, prefixBits, "ipv4")
for (const [network, prefixBits] of SPECIAL_IPV6) special.addSubnet(network, prefixBits, "ipv6")

/** All that is assigned for global unicast (RFC 4291 2.4). Loopback, mapped IPv4, 64:ff9b::/96, fc00::/7 and fe80::/10 are outside. */
const globalIPv6 = new BlockList()
globalIPv6.addSubnet("2000::", 3, "ipv6")

/**
 * True for a globally reachable unicast address. False for any other text, for an address with a zone (RFC 4007 11), and for IPv4 within
 * IPv6, which no resolver returns for a public host.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return globalIPv6.check(address, "ipv6") && !special.check(address, "ipv6")
}
