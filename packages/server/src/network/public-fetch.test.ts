import { type RequestListener, type ServerResponse, setGlobalProxyFromEnv } from "node:http"
import { createServer } from "node:net"
import { Readable } from "node:stream"
import { gzipSync } from "node:zlib"
import { describe, expect, test, vi } from "vitest"
import { type Canary, clientExampleCertificate, startCanary } from "./fixtures/tls-canary.ts"
import { createPublicFetch, DocumentRefused, type PublicFetchOptions, type ResolvedAddress } from "./public-fetch.ts"

const DOCUMENT = JSON.stringify({ client_id: "https://client.example/client.json", redirect_uris: [] })
const LOOPBACK: ResolvedAddress = { address: "127.0.0.1", family: 4 }
/** Stands for a public address in these tests, for nothing listens there. */
const NOBODY: ResolvedAddress = { address: "127.0.0.2", family: 4 }
/** Only ever given beside a refused address: nothing connects to it. */
const PUBLIC: ResolvedAddress = { address: "8.8.8.8", family: 4 }

/** A resolver that gives these answers in turn, the last one for good. */
function resolverOf(...answers: readonly ResolvedAddress[][]) {
  const asked: string[] = []
  const lookup = async (hostname: string) => {
    asked.push(hostname)
    return answers[asked.length - 1] ?? answers.at(-1) ?? []
  }
  return { asked, lookup }
}

/** As in production, but for the port and the certificate. */
const guarded = (options: PublicFetchOptions = {}) =>
  createPublicFetch({
    ca: clientExampleCertificate,
    isAllowedPort: () => true,
    lookup: resolverOf([LOOPBACK]).lookup,
    ...options,
  })
/** Loopback counts as public. */
const open = (options: PublicFetchOptions = {}) => guarded({ isAllowed: () => true, ...options })
const urlOf = ({ port }: Canary, path = "/client.json"): string => `https://client.example:${port}${path}`

const json =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, reply) =>
    reply.writeHead(200, { "content-type": "application/json", ...headers }).end(body)

async function expectRefusal(fetched: Promise<Response>, message: string): Promise<void> {
  const refusal: unknown = await fetched.catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DocumentRefused)
  expect(refusal).toMatchObject({ name: "DocumentRefused", message })
}

/** Connections are accepted in turn, so that one made on purpose shows that there was none before it. */
async function expectUntouched(canary: Canary): Promise<void> {
  expect((await open()(urlOf(canary))).status).toBe(200)
  expect(canary.connections()).toBe(1)
}

describe("what is fetched", () => {
  test("a JSON document, with its type and how long it may be kept, and nothing else of the answer", async () => {
    const extra = { "cache-control": "max-age=600", "set-cookie": "a=b", etag: '"1"' }
    await using canary = await startCanary(json(DOCUMENT, extra))
    const response = await open()(urlOf(canary))
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "cache-control": "max-age=600",
    })
    expect(await response.text()).toBe(DOCUMENT)
  })

  test.each(["application/json;charset=utf-8", "Application/JSON ; charset=utf-8", "application/client-metadata+json"])(
    "a document of type %s",
    async (type) => {
      await using canary = await startCanary(json(DOCUMENT, { "content-type": type, "content-encoding": "identity" }))
      expect(await (await open()(urlOf(canary))).text()).toBe(DOCUMENT)
    },
  )

  test.each([0, 5 * 1024])("a document of %i bytes", async (bytes) => {
    await using canary = await startCanary(json("x".repeat(bytes)))
    expect((await (await open()(urlOf(canary))).bytes()).length).toBe(bytes)
  })

  test("from a string, a URL or a Request", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const url = urlOf(canary, "/a%2Fb?c=d")
    for (const input of [url, new URL(`${url}#fragment`), new Request(url)]) await open()(input)
    expect(canary.requests.map((request) => request.url)).toEqual(Array(3).fill("/a%2Fb?c=d"))
  })

  test("without any credential, on a connection of its own each time", async () => {
    await using canary = await startCanary(json(DOCUMENT, { "set-cookie": "session=1" }))
    const fetchPublic = open()
    const headers = { authorization: "Bearer secret", cookie: "a=b", "accept-encoding": "gzip", host: "other.example" }
    for (let count = 0; count < 2; count++) await fetchPublic(urlOf(canary), { headers, redirect: "follow" })
    expect(canary.connections()).toBe(2)
    const sent = {
      accept: "application/json",
      "accept-encoding": "identity",
      "user-agent": "Restwell",
      host: `client.example:${canary.port}`,
      connection: "close",
    }
    expect(canary.requests.map((request) => request.headers)).toEqual([sent, sent])
  })

  test("past an address where nobody answers, for another of the same host", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const { lookup } = resolverOf([{ address: "::1", family: 6 }, LOOPBACK])
    expect((await open({ lookup })(urlOf(canary))).status).toBe(200)
  })

  test("not by way of a proxy", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    await using proxy = await startCanary(json(DOCUMENT))
    const restore = setGlobalProxyFromEnv({ https_proxy: `http://127.0.0.1:${proxy.port}` })
    try {
      expect((await open()(urlOf(canary))).status).toBe(200)
    } finally {
      restore()
    }
    expect(proxy.connections()).toBe(0)
  })
})

describe("where nothing is sent", () => {
  test.each([
    ["loopback", [LOOPBACK]],
    ["loopback among public addresses", [PUBLIC, LOOPBACK]],
    ["public addresses after loopback", [LOOPBACK, PUBLIC]],
    ["loopback as a mapped address", [{ address: "::ffff:127.0.0.1", family: 6 as const }]],
    ["no address", []],
    ["what is no address", [{ address: "127.1", family: 4 as const }]],
  ])("a name that resolves to %s", async (_case, addresses) => {
    await using canary = await startCanary(json(DOCUMENT))
    const { lookup } = resolverOf(addresses)
    await expectRefusal(guarded({ lookup })(urlOf(canary)), "the host has no public address")
    await expectUntouched(canary)
  })

  test("a name whose answer changes after it was judged", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const { asked, lookup } = resolverOf([NOBODY], [LOOPBACK])
    const isAllowed = (address: string) => address === NOBODY.address
    await expect(guarded({ lookup, isAllowed, timeoutMs: 1000 })(urlOf(canary))).rejects.toThrow(DocumentRefused)
    expect(asked).toEqual(["client.example"])
    await expectUntouched(canary)
  })

  test.each([
    ...["127.0.0.1", "127.1", "127.0.0.1.", "2130706433", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001"],
    ...["１２７.0.0.1", "127。0。0。1", "%31%32%37.0.0.1", "0", "0.0.0.0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]"],
    ...["[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:FFFF:7F00:0001]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
    ...["[2002:7f00:1::]", "169.254.169.254", "0xa9fea9fe", "[fd00:ec2::254]", "[fe80::1]", "localhost", "LOCALHOST"],
  ])("https://%s, as the system's resolver knows it", async (host) => {
    await using canary = await startCanary(json(DOCUMENT))
    const fetchPublic = createPublicFetch({ isAllowedPort: () => true, ca: clientExampleCertificate })
    await expectRefusal(fetchPublic(`https://${host}:${canary.port}/`), "the host has no public address")
    await expectUntouched(canary)
  })

  test.each([
    ["[2606:4700:0::1111]", "2606:4700::1111"],
    ["0x8.8.2056", "8.8.8.8"],
  ])(
    "https://%s, where that address is not allowed: it is judged as it is, and never resolved",
    async (host, address) => {
      const judged: string[] = []
      const { asked, lookup } = resolverOf([LOOPBACK])
      const fetchPublic = createPublicFetch({ lookup, isAllowed: (one) => judged.push(one) < 0 })
      await expectRefusal(fetchPublic(`https://${host}/`), "the host has no public address")
      expect(judged).toEqual([address])
      expect(asked).toEqual([])
    },
  )

  test.each([
    ["http://client.example/", "the URL is not https"],
    ["ftp://client.example/", "the URL is not https"],
    ["file:///etc/passwd", "the URL is not https"],
    ["data:application/json,{}", "the URL is not https"],
    ["client.example", "the URL is not https"],
    ["https://[fe80::1%25eth0]/", "the URL is not https"],
    ["https://client.example@127.0.0.1/", "the URL carries a user name or a password"],
    ["https://:secret@client.example/", "the URL carries a user name or a password"],
    ["https://client.example:8443/", "the URL names another port"],
    ["https://client.example:80/", "the URL names another port"],
    ["https://client.example:0/", "the URL names another port"],
  ])("%s", async (url, message) => {
    const { asked, lookup } = resolverOf([LOOPBACK])
    await expectRefusal(createPublicFetch({ lookup, isAllowed: () => true })(url), message)
    expect(asked).toEqual([])
  })

  test.each(["POST", "HEAD", "PUT", "DELETE", "OPTIONS"])("a %s", async (method) => {
    await using canary = await startCanary(json(DOCUMENT))
    await expectRefusal(open()(urlOf(canary), { method }), "only GET is sent")
    await expectRefusal(open()(new Request(urlOf(canary), { method })), "only GET is sent")
    await expectUntouched(canary)
  })

  test("a host whose certificate is of nobody we trust, even where the environment says that any will do", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")
    try {
      const { lookup } = resolverOf([LOOPBACK])
      const fetchPublic = createPublicFetch({ lookup, isAllowed: () => true, isAllowedPort: () => true })
      await expectRefusal(fetchPublic(urlOf(canary)), "no usable answer")
    } finally {
      vi.unstubAllEnvs()
    }
    expect(canary.requests).toEqual([])
  })

  test.each(["other.example", "127.0.0.1"])("%s, with the certificate of client.example", async (host) => {
    await using canary = await startCanary(json(DOCUMENT))
    await expectRefusal(open()(`https://${host}:${canary.port}/`), "no usable answer")
    expect(canary.requests).toEqual([])
  })
})

test.each([300, 301, 302, 303, 304, 307, 308])("a redirect with status %i is not followed", async (status) => {
  await using canary = await startCanary(json(DOCUMENT))
  await using host = await startCanary((_request, reply) =>
    reply.writeHead(status, { location: urlOf(canary), "content-type": "application/json" }).end(),
  )
  await expectRefusal(open()(urlOf(host), { redirect: "follow" }), "the host redirects")
  await expectUntouched(canary)
})

const TOO_LARGE = "the document is larger than 5120 bytes"
const NOT_JSON = "the document is not JSON by its type"
const start = (reply: ServerResponse, headers: Record<string, string> = {}): ServerResponse =>
  reply.writeHead(200, { "content-type": "application/json", ...headers })

test.each<[string, RequestListener, string]>([
  ["of 6 KB", json("x".repeat(6 * 1024)), TOO_LARGE],
  ["one byte too long", json("x".repeat(5 * 1024 + 1)), TOO_LARGE],
  ["said to be 6 KB, and not sent", (_, reply) => start(reply, { "content-length": "6144" }).flushHeaders(), TOO_LARGE],
  ["without end", (_, reply) => Readable.from(endless()).pipe(start(reply)), TOO_LARGE],
  [
    "cut short",
    (_, reply) => start(reply, { "content-length": "99" }).write("{}", () => reply.destroy()),
    "no usable answer",
  ],
  ["that is gzip", json(gzipSync(DOCUMENT), { "content-encoding": "gzip" }), "the document is compressed"],
  ["encoded twice", json(DOCUMENT, { "content-encoding": "identity, br" }), "the document is compressed"],
  ["of HTML", json(DOCUMENT, { "content-type": "text/html" }), NOT_JSON],
  ["of JSON as text", json(DOCUMENT, { "content-type": "text/json" }), NOT_JSON],
  ["of many JSON texts", json(DOCUMENT, { "content-type": "application/json-seq" }), NOT_JSON],
  ["of two types", json(DOCUMENT, { "content-type": "text/html, application/json" }), NOT_JSON],
  ["of no type", (_, reply) => reply.writeHead(200).end(DOCUMENT), NOT_JSON],
])("a document %s is refused", async (_case, answer, message) => {
  await using canary = await startCanary(answer)
  await expectRefusal(open()(urlOf(canary)), message)
  expect(canary.connections()).toBe(1)
})

test("a refused answer is not waited for: its connection is closed", async () => {
  const closed = Promise.withResolvers<void>()
  await using host = await startCanary((_request, reply) => {
    reply.once("close", closed.resolve)
    reply.writeHead(500).flushHeaders()
  })
  await expectRefusal(open({ timeoutMs: 120_000 })(urlOf(host)), "the host answered with status 500")
  await closed.promise
})

function* endless(): Generator<string> {
  while (true) yield "x".repeat(1024)
}

test.each([201, 204, 206, 401, 404, 429, 500, 503])("an answer with status %i is refused", async (status) => {
  await using canary = await startCanary((_request, reply) =>
    reply.writeHead(status, { "content-type": "application/json" }).end(status === 204 ? undefined : DOCUMENT),
  )
  await expectRefusal(open()(urlOf(canary)), `the host answered with status ${status}`)
})

describe("the time is bounded", () => {
  const LATE = "no whole answer in time"

  test("for the resolver, and what it answers later is not used", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const answer = Promise.withResolvers<ResolvedAddress[]>()
    await expectRefusal(open({ lookup: () => answer.promise, timeoutMs: 50 })(urlOf(canary)), LATE)
    answer.resolve([LOOPBACK])
    await expectUntouched(canary)
  })

  test("for a host that takes the connection and is silent", async () => {
    const silent = createServer()
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
    const address = silent.address()
    const port = address === null || typeof address === "string" ? 0 : address.port
    await expectRefusal(open({ timeoutMs: 100 })(`https://client.example:${port}/`), LATE)
    silent.close()
  })

  test.each<[string, RequestListener]>([
    ["takes the request and is silent", () => {}],
    ["sends the head alone", (_, reply) => start(reply).flushHeaders()],
    ["sends a byte now and then", (_, reply) => dribble(start(reply))],
  ])("for a host that %s, and the connection is closed", async (_case, answer) => {
    const closed = Promise.withResolvers<void>()
    await using canary = await startCanary((message, reply) => {
      reply.once("close", closed.resolve)
      answer(message, reply)
    })
    await expectRefusal(open({ timeoutMs: 500 })(urlOf(canary)), LATE)
    expect(canary.requests.length).toBe(1)
    await closed.promise
  })

  test("by the signal of whoever asks, too", async () => {
    const asked = new AbortController()
    await using canary = await startCanary(() => asked.abort())
    const resolver = resolverOf([LOOPBACK])
    const fetchPublic = open({ lookup: resolver.lookup })
    await expectRefusal(fetchPublic(urlOf(canary), { signal: asked.signal }), LATE)
    await expectRefusal(fetchPublic(urlOf(canary), { signal: asked.signal }), LATE)
    await expectRefusal(fetchPublic(new Request(urlOf(canary), { signal: asked.signal })), LATE)
    expect(resolver.asked).toEqual(["client.example"])
    expect(canary.connections()).toBe(1)
  })
})

function dribble(reply: ServerResponse): void {
  const timer = setInterval(() => reply.write(" "), 10)
  reply.once("close", () => clearInterval(timer))
}

test("a refusal does not tell a private name from one that does not exist", async () => {
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
