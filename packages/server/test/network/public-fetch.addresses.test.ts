import { describe, expect, test } from "vitest"
import { createPublicFetch, DocumentRefused } from "../../src/network/public-fetch.ts"
import {
  clientExampleCertificate,
  DOCUMENT,
  expectRefusal,
  expectUntouched,
  guarded,
  json,
  LOOPBACK,
  NOBODY,
  PUBLIC,
  resolverOf,
  startCanary,
  urlOf,
} from "./fetching.ts"

describe("sends nothing to", () => {
  test.each([
    ["loopback", [LOOPBACK]],
    ["loopback among public addresses", [PUBLIC, LOOPBACK]],
    ["public addresses after loopback", [LOOPBACK, PUBLIC]],
    ["loopback as a mapped address", [{ address: "::ffff:127.0.0.1", family: 6 as const }]],
    ["no address", []],
    ["text that is not an address", [{ address: "127.1", family: 4 as const }]],
  ])("a name that resolves to %s", async (_case, addresses) => {
    await using canary = await startCanary(json(DOCUMENT))
    const { lookup } = resolverOf(addresses)
    await expectRefusal(guarded({ lookup })(urlOf(canary)), "the host has no public address")
    await expectUntouched(canary)
  })

  test("a name that resolves to another address after the check", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const { lookups, lookup } = resolverOf([NOBODY], [LOOPBACK])
    const isAllowed = (address: string) => address === NOBODY.address
    await expect(guarded({ lookup, isAllowed, timeoutMs: 1000 })(urlOf(canary))).rejects.toThrow(DocumentRefused)
    expect(lookups).toEqual(["client.example"])
    await expectUntouched(canary)
  })

  test.each([
    ...["127.0.0.1", "127.1", "127.0.0.1.", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"],
    ...["１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "0", "0.0.0.0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]"],
    ...[
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[0:0:0:0:0:FFFF:7F00:0001]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b::a00:1]",
    ],
    ...["[2002:7f00:1::]", "169.254.169.254", "0xa9fea9fe", "[fd00:ec2::254]", "[fe80::1]", "localhost", "LOCALHOST"],
  ])("https://%s, with the system's resolver", async (host) => {
    await using canary = await startCanary(json(DOCUMENT))
    const fetchPublic = createPublicFetch({ isAllowedPort: () => true, ca: clientExampleCertificate })
    await expectRefusal(fetchPublic(`https://${host}:${canary.port}/`), "the host has no public address")
    await expectUntouched(canary)
  })

  test.each([
    ["[2606:4700:0::1111]", "2606:4700::1111"],
    ["0x8.8.2056", "8.8.8.8"],
  ])("https://%s if its address is not allowed, and does not resolve it", async (host, address) => {
    const checked: string[] = []
    const { lookups, lookup } = resolverOf([LOOPBACK])
    const fetchPublic = createPublicFetch({ lookup, isAllowed: (one) => checked.push(one) < 0 })
    await expectRefusal(fetchPublic(`https://${host}/`), "the host has no public address")
    expect(checked).toEqual([address])
    expect(lookups).toEqual([])
  })
})

test("gives the same error for a private name and for one that does not exist", async () => {
  const fail = () => Promise.reject(new Error("getaddrinfo ENOTFOUND client.example"))
  const { lookup } = resolverOf([{ address: "10.1.2.3", family: 4 }])
  const refusals = [fail, lookup].map((resolver) =>
    createPublicFetch({ lookup: resolver })("https://client.example/").catch((error: unknown) => error),
  )
  const [missing, hidden] = await Promise.all(refusals)
  expect(missing).toMatchObject({ message: "the host has no public address" })
  expect(hidden).toEqual(missing)
  expect(String(hidden)).not.toContain("10.1.2.3")
})
