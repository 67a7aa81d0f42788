import { isIP } from "node:net"
import { isPublicAddress } from "../network/public-address.ts"

/** Names that only a machine or its own network knows. RFC 6761, RFC 6762, RFC 8375, and ICANN's reservation of "internal". */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|test|internal|home\.arpa|lan)$/

/** True if passwords and records would cross a public network readable for everybody on the way. */
export function isPlainOnPublicAddress(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol !== "http:") return false
  const host = hostname.replace(/^\[|\]$/g, "")
  return isIP(host) === 0 ? !LOCAL_NAME.test(host) : isPublicAddress(host)
}
