import fc from "fast-check"
import { expect, test } from "vitest"
import { networkOf } from "./addresses.ts"

test.each([
  ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
  ["2001:0DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::a:b:c:d", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::", "0:0:0:0::/64"],
  ["1:2:3:4:5:6:7::", "1:2:3:4::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::192.0.2.7", "0:0:0:0::/64"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:0207", "192.0.2.7"],
  ["192.0.2.7", "192.0.2.7"],
  ["not an address", "unknown"],
  ["192.0.2.7:443", "unknown"],
  ["x".repeat(9_000), "unknown"],
])("%s is in %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})

test("two addresses are in one network when their first 64 bits are the same, and only then", () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }))
  // Not 0 in front: there the mapped IPv4 addresses are.
  const network = fc.tuple(fc.integer({ min: 1, max: 0xffff }), group, group, group)
  const host = fc.tuple(group, group, group, group)
  const addressOf = (groups: readonly number[]) => groups.map((value) => value.toString(16)).join(":")
  const shortest = (address: string) => new URL(`http://[${address}]`).hostname.slice(1, -1)
  fc.assert(
    fc.property(network, network, host, host, (one, other, first, second) => {
      const [long, short] = [addressOf([...one, ...first]), shortest(addressOf([...one, ...second]))]
      expect(networkOf(short)).toBe(networkOf(long))
      expect(networkOf(addressOf([...other, ...first])) === networkOf(long)).toBe(addressOf(other) === addressOf(one))
    }),
  )
})
