/* Requests to receivers that people name: none reaches a private address whose host the owner did not list. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { createReceiverNetwork, type ReceiverOptions } from "../../src/network/receivers.ts"
import { clientExampleCertificate, LOOPBACK, NOBODY, PUBLIC, resolverOf, startCanary } from "./fetching.ts"

const post = (url: string) => ({ url, headers: {}, body: "{}" })
const networkWith = (options: Partial<ReceiverOptions> = {}) =>
  createReceiverNetwork({ privateHosts: () => [], ca: clientExampleCertificate, ...options })

const never = new AbortController().signal

describe("nothing is sent to", () => {
  test.each([
    ...["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "１２７.0.0.1", "%31%32%37.0.0.1", "0", "0.0.0.0"],
    ...[
      "[::]",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::127.0.0.1]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b::a00:1]",
      "[2002:7f00:1::]",
    ],
    ...["169.254.169.254", "0xa9fea9fe", "[fd00:ec2::254]", "[fe80::1]", "localhost", "LOCALHOST"],
    ...["nas.local", "homeassistant", "ha.home.arpa"],
    ...["10.0.0.5", "172.16.0.1", "192.168.1.20", "100.64.0.1"],
  ])("%s over http and https", async (host) => {
    await using canary = await startCanary((_request, reply) => void reply.end())
    const network = networkWith()
    for (const scheme of ["http", "https"]) {
      const url = `${scheme}://${host}:${canary.port}/hook`
      expect(await network.send(post(url), never)).toEqual({ problem: await network.findProblem(url) })
      expect(await network.findRefusal(url)).toBe(await network.findProblem(url))
      expect(await network.findProblem(url)).toMatch(
        /^\S+ is (?:in your home network|this computer)\. Allow it on the page Service\.$/,
      )
    }
    expect(canary.connections()).toBe(0)
  })

  test.each([
    ["loopback", [LOOPBACK]],
    ["loopback among public addresses", [PUBLIC, LOOPBACK]],
    ["loopback as a mapped address", [{ address: "::ffff:127.0.0.1", family: 6 as const }]],
  ])("a name that resolves to %s, which is named without its address", async (_case, addresses) => {
    await using canary = await startCanary((_request, reply) => void reply.end())
    const network = networkWith({ lookup: resolverOf(addresses).lookup })
    const problem = "client.example is in your home network. Allow it on the page Service."
    expect(await network.send(post(`https://client.example:${canary.port}/`), never)).toEqual({ problem })
    expect(canary.connections()).toBe(0)
  })

  test("a name that resolves to another address after the check", async () => {
    await using canary = await startCanary((_request, reply) => void reply.end())
    const { lookups, lookup } = resolverOf([PUBLIC], [LOOPBACK])
    const network = networkWith({ lookup, timeoutMs: 500 })
    expect(await network.send(post(`https://client.example:${canary.port}/`), never)).toMatchObject({
      problem: expect.any(String),
    })
    expect(lookups).toEqual(["client.example"])
    expect(canary.connections()).toBe(0)
  })

  test.each([
    ["http://client.example/", /has to begin with https/],
    ["https://client.example:25/", /port 25 belongs to another service/],
    ["https://client.example:587/", /port 587 belongs/],
    ["https://client.example:6379/", /port 6379 belongs/],
    ["https://ada:secret@client.example/", /user name or password/],
    ["file:///etc/passwd", /has to begin with https/],
    ["not an address", /has to begin with https/],
  ])("%s", async (url, problem) => {
    expect(await networkWith({ lookup: resolverOf([PUBLIC]).lookup }).findProblem(url)).toMatch(problem)
  })

  test("an unknown name", async () => {
    const network = networkWith({ lookup: resolverOf([]).lookup })
    expect(await network.findProblem("https://clint.example/")).toMatch(/^clint\.example is not known/)
    expect(await network.findRefusal("https://clint.example/")).toBeUndefined()
  })
})

describe("a host that the owner listed", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.0.0.1:PORT", true],
    ["127.0.0.1:1", false],
    ["127.0.0.2", false],
    ["0.0.1", false],
  ])("%s is for 127.0.0.1 at a port: %s", async (entry, isAllowed) => {
    let asked = 0
    const server = createServer((_request, reply) => {
      asked += 1
      reply.writeHead(202).end("taken")
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port }: AddressInfo = Object.assign({ port: 0, address: "", family: "" }, server.address())
    const network = networkWith({ privateHosts: () => [entry.replace("PORT", String(port))] })
    const result = await network.send(post(`http://127.0.0.1:${port}/`), never)
    expect(result).toEqual(
      isAllowed ? { status: 202, text: "taken" } : { problem: expect.stringContaining("Allow it") },
    )
    expect(asked).toBe(isAllowed ? 1 : 0)
    server.close()
  })

  test("is the one of the address, whatever it resolves to, and no other name for it", async () => {
    await using canary = await startCanary((_request, reply) => void reply.writeHead(204).end())
    const url = `https://client.example:${canary.port}/`
    const { lookup } = resolverOf([LOOPBACK])
    const listed = networkWith({ lookup, privateHosts: () => ["client.example"] })
    expect(await listed.send(post(url), never)).toEqual({ status: 204, text: "" })
    const other = networkWith({ lookup, privateHosts: () => ["127.0.0.1", "example", "lient.example"] })
    expect(await other.findProblem(url)).toContain("Allow it")
  })
})

/** Who may be reached at the ports of other services, where the owner listed one host in one way. */
describe("a listed host at the port of another service", () => {
  const MAIL = [25, 465, 587]
  const DATABASES = [1433, 1521, 3306, 5432, 6379, 9042, 9200, 11211, 27017]
  const OTHERS = [22, 445, 2375]
  const FREE = [1880, 3000, 5678, 8080, 8123, 49_152]
  const HOSTS = [
    ["192.168.1.20", "192.168.1.20"],
    ["nas", "nas"],
    ["[fd00::20]", "[fd00::20]"],
    ["client.example", "client.example"],
  ] as const

  const problemOf = (entry: string, url: string, addresses = [LOOPBACK]) =>
    networkWith({ privateHosts: () => [entry], lookup: resolverOf(addresses).lookup }).findProblem(url)

  test.each(HOSTS)("%s is refused unless the entry names the port", async (host, entry) => {
    for (const port of [...MAIL, ...DATABASES, ...OTHERS])
      for (const scheme of ["http", "https"]) {
        const url = `${scheme}://${host}:${port}/hook`
        expect([url, await problemOf(entry, url)]).toEqual([
          url,
          expect.stringMatching(new RegExp(`:${port} is in your home network\\. Allow it on the page Service\\.$`)),
        ])
        expect([url, await problemOf(`${entry}:${port}`, url)]).toEqual([url, undefined])
      }
  })

  test.each(HOSTS)("%s is reached at the ports of the web and at free ones", async (host, entry) => {
    for (const url of [`http://${host}/`, `https://${host}/`, ...FREE.map((port) => `http://${host}:${port}/`)])
      expect([url, await problemOf(entry, url)]).toEqual([url, undefined])
  })

  test("is refused where the host has a public address too", async () => {
    const at = (port: number) => problemOf("client.example", `https://client.example:${port}/`, [PUBLIC])
    expect([await at(587), await at(6379), await at(8443)]).toEqual([
      "port 587 belongs to another service",
      "port 6379 belongs to another service",
      undefined,
    ])
  })
})

test("a certificate of another name is refused, a redirect is returned and not followed, and a body is cut", async () => {
  await using canary = await startCanary((request, reply) =>
    request.url === "/moved"
      ? void reply.writeHead(302, { location: "https://client.example:1/" }).end()
      : void reply.end("x".repeat(1_000_000)),
  )
  const network = networkWith({
    lookup: resolverOf([LOOPBACK]).lookup,
    privateHosts: () => ["client.example", "other.example"],
  })
  const at = (host: string, path: string) => network.send(post(`https://${host}:${canary.port}${path}`), never)
  expect(await at("other.example", "/")).toEqual({ problem: "its TLS certificate is not valid" })
  expect(await at("client.example", "/moved")).toMatchObject({ status: 302 })
  expect(await at("client.example", "/")).toEqual({ status: 200, text: "x".repeat(2_048) })
})

test("the status is the answer, also where the body never ends", async () => {
  let isTaken = false
  await using canary = await startCanary((_request, reply) => {
    reply.writeHead(200).write("taken")
    isTaken = true
  })
  const options = { lookup: resolverOf([LOOPBACK]).lookup, privateHosts: () => ["client.example"] }
  const url = `https://client.example:${canary.port}/`
  expect(await networkWith({ ...options, timeoutMs: 1_000 }).send(post(url), never)).toEqual({
    status: 200,
    text: "taken",
  })
  isTaken = false
  const stopping = new AbortController()
  const sent = networkWith(options).send(post(url), stopping.signal)
  await expect.poll(() => isTaken).toBe(true)
  await wait(200)
  stopping.abort()
  expect(await sent).toEqual({ status: 200, text: "taken" })
})

test("a receiver that does not answer is given up, and so is one when the service stops", async () => {
  await using canary = await startCanary(() => {})
  const options = { lookup: resolverOf([LOOPBACK]).lookup, privateHosts: () => ["client.example"] }
  const url = `https://client.example:${canary.port}/`
  expect(await networkWith({ ...options, timeoutMs: 1_000 }).send(post(url), never)).toEqual({
    problem: "it did not answer within 1 seconds",
  })
  const stopped = await networkWith(options).send(post(url), AbortSignal.timeout(50))
  expect(stopped).toEqual({ problem: expect.any(String) })
  // Nothing listens there.
  const nobody = networkWith({ lookup: resolverOf([NOBODY]).lookup, privateHosts: () => ["client.example"] })
  expect(await nobody.send(post(url), never)).toEqual({
    problem: "nothing listens at this address: check the port, and that the receiver runs",
  })
})
