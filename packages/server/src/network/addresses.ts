import { randomUUID } from "node:crypto"
import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from "node:net"
import type { AddressCheck } from "@restwell/client"
import { deriveKey } from "@restwell/core"
import { z } from "zod"

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
  return mappedIPv4(withoutZone) ?? `${groupsOf(canonicalOf(withoutZone)).slice(0, NETWORK_GROUPS).join(":")}::/64`
}

/** The shortest form of an IPv6 address. */
const canonicalOf = (address: string): string => new SocketAddress({ address, family: "ipv6" }).address

/** The IPv4 address of an IPv4-mapped IPv6 address. Undefined for another one. */
export const mappedIPv4 = (address: string): string | undefined => MAPPED.exec(canonicalOf(address))?.[1]

/** The groups of an address in its shortest form, where `::` replaces a run of zero groups. */
function groupsOf(canonical: string): string[] {
  const [before = [], after = []] = canonical.split("::").map((half) => half.split(":").filter((group) => group !== ""))
  const zeros = Array<string>(GROUPS - before.length - after.length).fill("0")
  return [...before, ...zeros, ...after]
}

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

/** All that is assigned for global unicast (RFC 4291 2.4). Loopback, mapped IPv4, 64:ff9b:1::/48, fc00::/7 and fe80::/10 are outside. */
const globalIPv6 = new BlockList()
globalIPv6.addSubnet("2000::", 3, "ipv6")

/** Where a network without IPv4 finds hosts that have nothing else: in the last 32 bits is their IPv4 address. RFC 6052 2.1, RFC 6147 */
const translatedIPv4 = new BlockList()
translatedIPv4.addSubnet("64:ff9b::", 96, "ipv6")

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function lastIPv4(address: string): string {
  const groups = groupsOf(canonicalOf(address)).slice(-2)
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".")
}

/**
 * True for a globally reachable unicast address. False for any other text, for an address with a zone (RFC 4007 11), and for IPv4 within
 * IPv6, which no resolver returns for a public host. What DNS64 returns is what its IPv4 address is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  if (translatedIPv4.check(address, "ipv6")) return isPublicAddress(lastIPv4(address))
  return globalIPv6.check(address, "ipv6") && !special.check(address, "ipv6")
}

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

/** True if passwords and records would cross a public network readable for everybody on the way. */
export function isPlainOnPublicAddress(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === "http:" && reachOf(hostname) === "internet"
}

/** What only this installation can answer to a challenge. */
export const proofOf = (secret: string, challenge: string): string =>
  deriveKey(secret, `instance/${challenge}`).toString("hex")

const TIMEOUT_MS = 8_000
const ProofSchema = z.object({ proof: z.string() })

/** Asks the address for a proof that only this installation can give. */
export async function checkAddress(address: string, secret: string): Promise<AddressCheck> {
  const { protocol, hostname } = new URL(address)
  const problem = await problemOf(address, secret)
  return {
    is_reachable: problem === null,
    is_https: protocol === "https:",
    reach: reachOf(hostname),
    problem,
  }
}

async function problemOf(address: string, secret: string): Promise<string | null> {
  const challenge = randomUUID()
  try {
    const answer = await fetch(`${address}/api/service/instance?challenge=${challenge}`, {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status >= 300 && answer.status < 400)
      return "the address redirects to another one: enter the one that people see in the end"
    if (answer.status >= 500) return `a proxy answers there with ${answer.status}: it does not reach this Restwell`
    const proof = ProofSchema.safeParse(await answer.json().catch(() => undefined)).data?.proof
    return proof === proofOf(secret, challenge) ? null : "another program answers at this address"
  } catch (error) {
    return reasonOf(error)
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, "the name is not known: check its spelling, and that its DNS entry exists"],
  [/ECONNREFUSED/, "nothing answers at this address: check the port, the proxy and the port forwarding"],
  [/EHOSTUNREACH|ENETUNREACH/, "there is no way to this address from here"],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|SSL|EPROTO/, "its TLS certificate is not valid"],
  [/Timeout|TIMEOUT/, "it does not answer within 8 seconds: check the port forwarding of the router"],
]

function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined }
  const codes = [error, cause].map((each) =>
    each instanceof Error ? `${each.name} ${"code" in each ? String(each.code) : ""} ${each.message}` : "",
  )
  return REASONS.find(([pattern]) => pattern.test(codes.join(" ")))?.[1] ?? "it cannot be reached from here"
}
