import fc from "fast-check"
import { expect, test } from "vitest"
import { isPublicAddress } from "./addresses.ts"

/** A network as bits, for drawing addresses from it without the code under test. */
interface Network {
  readonly cidr: string
  readonly bits: bigint
  readonly prefix: number
  readonly size: 32 | 128
}

const IPV4_NETWORKS = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"],
  ...["198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32"],
]
const IPV6_NETWORKS = [
  ...["0:0:0:0:0:0:0:0/128", "0:0:0:0:0:0:0:1/128", "0:0:0:0:0:0:0:0/96", "0:0:0:0:0:ffff:0:0/96"],
  ...["64:ff9b:1:0:0:0:0:0/48", "100:0:0:0:0:0:0:0/64", "100:0:0:1:0:0:0:0/64"],
  ...["2001:0:0:0:0:0:0:0/23", "2001:db8:0:0:0:0:0:0/32", "2002:0:0:0:0:0:0:0/16", "2620:4f:8000:0:0:0:0:0/48"],
  ...["3fff:0:0:0:0:0:0:0/20", "5f00:0:0:0:0:0:0:0/16", "fc00:0:0:0:0:0:0:0/7", "fe80:0:0:0:0:0:0:0/10"],
  ...["fec0:0:0:0:0:0:0:0/10", "ff00:0:0:0:0:0:0:0/8"],
]
/** Networks whose neighbour on that side is refused as well, or is no unicast space at all. */
const NO_PUBLIC_NEIGHBOUR_BEFORE = new Set(["0.0.0.0/8", "240.0.0.0/4", "255.255.255.255/32", "2001:0:0:0:0:0:0:0/23"])
const NO_PUBLIC_NEIGHBOUR_AFTER = new Set(["224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32"])

function networkOf(cidr: string): Network {
  const [address = "", prefix = ""] = cidr.split("/")
  const isIPv6 = address.includes(":")
  const [parts, width, base] = isIPv6 ? [address.split(":"), 16n, 16] : [address.split("."), 8n, 10]
  const bits = parts.reduce((sum, part) => (sum << width) | BigInt(Number.parseInt(part, base)), 0n)
  return { cidr, bits, prefix: Number(prefix), size: isIPv6 ? 128 : 32 }
}

function addressOf(bits: bigint, size: 32 | 128): string {
  const [count, width, base, mark] = size === 128 ? [8, 16n, 16, ":"] : [4, 8n, 10, "."]
  const part = (index: number) => ((bits >> (width * BigInt(count - 1 - index))) & ((1n << width) - 1n)).toString(base)
  return Array.from({ length: count }, (_, index) => part(index)).join(mark)
}

const hostsIn = ({ prefix, size }: Network): bigint => 1n << BigInt(size - prefix)
const shortest = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)
const spellings = (address: string): string[] =>
  address.includes(":") ? [address, address.toUpperCase(), shortest(address)] : [address]

test.each([...IPV4_NETWORKS, ...IPV6_NETWORKS].map(networkOf))("no address of $cidr is public", (network) => {
  const last = hostsIn(network) - 1n
  const host = fc.oneof(fc.constantFrom(0n, last), fc.bigInt({ min: 0n, max: last }))
  fc.assert(
    fc.property(host, (within) => {
      for (const spelling of spellings(addressOf(network.bits + within, network.size))) {
        expect(isPublicAddress(spelling), spelling).toBe(false)
      }
    }),
  )
})

const unicast = (network: Network): boolean => network.size === 32 || network.bits >> 125n === 1n
const networks = [...IPV4_NETWORKS, ...IPV6_NETWORKS].map(networkOf).filter(unicast)

test.each(networks.filter(({ cidr }) => !NO_PUBLIC_NEIGHBOUR_BEFORE.has(cidr)))(
  "the address before $cidr is public",
  ({ bits, size }) => expect(isPublicAddress(addressOf(bits - 1n, size))).toBe(true),
)

test.each(networks.filter(({ cidr }) => !NO_PUBLIC_NEIGHBOUR_AFTER.has(cidr)))(
  "the address after $cidr is public",
  (network) => expect(isPublicAddress(addressOf(network.bits + hostsIn(network), network.size))).toBe(true),
)

test("an address is public exactly when no listed network holds it", () => {
  const all = [...IPV4_NETWORKS, ...IPV6_NETWORKS].map(networkOf)
  const holds = (bits: bigint, size: 32 | 128) => (network: Network) =>
    network.size === size && bits >> BigInt(size - network.prefix) === network.bits >> BigInt(size - network.prefix)
  const ipv4 = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }).map((bits) => ({ bits, size: 32 as const }))
  const ipv6 = fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n }).map((bits) => ({ bits, size: 128 as const }))
  fc.assert(
    fc.property(fc.oneof(ipv4, ipv6), ({ bits, size }) => {
      const address = addressOf(bits, size)
      expect(isPublicAddress(address), address).toBe(!all.some(holds(bits, size)))
    }),
    { numRuns: 2000 },
  )
})

const TRANSLATED = networkOf("64:ff9b:0:0:0:0:0:0/96")

test("an address of DNS64 is public exactly when the IPv4 address in its last 32 bits is", () => {
  const edges = IPV4_NETWORKS.map(networkOf).flatMap((network) => [network.bits, network.bits + hostsIn(network) - 1n])
  const last = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: hostsIn(TRANSLATED) - 1n }))
  fc.assert(
    fc.property(last, (bits) => {
      const isPublic = isPublicAddress(addressOf(bits, 32))
      for (const spelling of spellings(addressOf(TRANSLATED.bits + bits, 128)))
        expect(isPublicAddress(spelling), spelling).toBe(isPublic)
    }),
    { numRuns: 2000 },
  )
})

test("no IPv6 address outside of the global unicast space and of DNS64 is public", () => {
  const outside = fc.oneof(
    fc.bigInt({ min: 0n, max: (1n << 125n) - 1n }),
    fc.bigInt({ min: 1n << 126n, max: (1n << 128n) - 1n }),
  )
  const others = outside.filter((bits) => bits >> 32n !== TRANSLATED.bits >> 32n)
  fc.assert(fc.property(others, (bits) => !isPublicAddress(addressOf(bits, 128))))
})

test.each([
  ...["0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "127.0.0.1"],
  ...["127.0.0.53", "127.255.255.254", "169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.17.0.1"],
  ...["172.31.255.255", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1"],
  ...["192.168.0.1", "192.168.255.255", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9"],
  ...["224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.254", "255.255.255.255"],
  ...["::", "::1", "0:0:0:0:0:0:0:1", "::2", "::7f00:1", "::127.0.0.1", "::8.8.8.8"],
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:10.0.0.1", "::ffff:169.254.169.254", "0:0:0:0:0:ffff:c0a8:1"],
  ...["::ffff:8.8.8.8", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b::10.0.0.1"],
  ...["64:ff9b::a9fe:a9fe", "64:ff9b::", "64:ff9b::1:808:808", "64:ff9b:0:1::808:808", "64:ff9b:1::a00:1"],
  ...["64:ff9b:1::808:808", "64:ff9b::808:808%eth0"],
  ...["100::1", "100:0:0:1::1", "2001::1", "2001:0:7f00:1::", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1"],
  ...["2001:db8::1", "2001:db8:ffff::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2620:4f:8000::1"],
  ...["3fff::1", "3fff:fff::1", "4000::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1"],
  ...["febf::1", "fec0::1", "feff::1", "ff02::1", "ff0e::1", "1fff:ffff::1"],
])("%s is not public", (address) => expect(isPublicAddress(address)).toBe(false))

test.each([
  ...["", " ", "localhost", "client.example", "8.8.8", "8.8.8.8.8", "8.8.8.256", "08.8.8.8", "8.8.8.8 ", " 8.8.8.8"],
  ...["8.8.8.8\0", "8.8.8.8/32", "8.8.8.8:443", "0x08080808", "134744072", "010.8.8.8", "８.8.8.8", "-8.8.8.8"],
  ...["[2606:4700::1111]", "2606:4700::1111%eth0", "2606:4700::1111%0", "2606:4700::1111/128", "2606:4700:::1"],
  ...["2606:4700::1::1", "12606::1", "2606:4700", "2606:4700::g", ":", ":::"],
])("%j is no address, and so not a public one", (text) => expect(isPublicAddress(text)).toBe(false))

test.each([
  ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.215.14", "100.63.255.255", "100.128.0.0"],
  ...["172.15.255.255", "172.32.0.0", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255"],
  ...["2001:200::1", "2001:4860:4860::8888", "2003::1", "2400:cb00::1", "2606:4700:4700::1111", "2607:6BC0::10"],
  ...["2620:4f:7fff::1", "2a00:1450:4001:81b::200e", "3ffe::1"],
  ...["64:ff9b::808:808", "64:FF9B::8.8.8.8", "64:ff9b:0:0:0:0:101:101"],
])("%s is public", (address) => expect(isPublicAddress(address)).toBe(true))
