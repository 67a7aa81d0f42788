import { setGlobalProxyFromEnv } from "node:http"
import { describe, expect, test, vi } from "vitest"
import { createPublicFetch } from "../../src/network/public-fetch.ts"
import {
  DOCUMENT,
  expectRefusal,
  expectUntouched,
  json,
  LOOPBACK,
  open,
  resolverOf,
  startCanary,
  urlOf,
} from "./fetching.ts"

describe("fetches", () => {
  test("a JSON document with its type and caching headers, and no other header", async () => {
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

  test("without credentials, on a new connection each time", async () => {
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

  test("from another address of the host if the first one does not answer", async () => {
    await using canary = await startCanary(json(DOCUMENT))
    const { lookup } = resolverOf([{ address: "::1", family: 6 }, LOOPBACK])
    expect((await open({ lookup })(urlOf(canary))).status).toBe(200)
  })

  test("without the environment's proxy", async () => {
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

describe("sends nothing for", () => {
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
    const { lookups, lookup } = resolverOf([LOOPBACK])
    await expectRefusal(createPublicFetch({ lookup, isAllowed: () => true })(url), message)
    expect(lookups).toEqual([])
  })

  test.each(["POST", "HEAD", "PUT", "DELETE", "OPTIONS"])("a %s", async (method) => {
    await using canary = await startCanary(json(DOCUMENT))
    await expectRefusal(open()(urlOf(canary), { method }), "only GET is sent")
    await expectRefusal(open()(new Request(urlOf(canary), { method })), "only GET is sent")
    await expectUntouched(canary)
  })

  test("a host with an untrusted certificate, even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
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
