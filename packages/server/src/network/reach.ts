import { BlockList, isIP } from "node:net"
import { isPublicAddress } from "./public-address.ts"

/** Who an address is for: programs on this computer, a home or private network, or everyone. */
export type Reach = "this_computer" | "home" | "internet"

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8, "ipv4")
loopback.addAddress("::1", "ipv6")

/** RFC 6761 6.3: every name of this domain is this computer. */
const OWN_NAME = /^(?:.+\.)?localhost$/

/** Names that only a network of its own knows. RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of "internal". */
const HOME_NAME = /^[^.]+$|\.(?:local|test|internal|home\.arpa|home|lan)$/

/** @param host a URL's hostname, or an IP address */
export function reachOf(host: string): Reach {
  const address = host.replace(/^\[|\]$/g, "")
  const version = isIP(address)
  if (version === 0) return OWN_NAME.test(host) ? "this_computer" : HOME_NAME.test(host) ? "home" : "internet"
  if (loopback.check(address, version === 4 ? "ipv4" : "ipv6")) return "this_computer"
  return isPublicAddress(address) ? "internet" : "home"
}
