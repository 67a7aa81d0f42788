import { request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { Member } from "@restwell/testing/member"
import { reservePort } from "@restwell/testing/port"
import { METRICS_HEADERS, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 60 })
  ;({ key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
})
afterAll(() => service.close())

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
}

/** As the bytes were sent: fetch would decompress them. */
function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const sent = request(
    service.url + path,
    { headers: { authorization: `Bearer ${key}`, ...(path === "/metrics" && METRICS_HEADERS), ...headers } },
    async (response) => {
      const pieces: Buffer[] = []
      for await (const piece of response) pieces.push(piece)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(pieces) })
    },
  )
  sent.on("error", reject)
  sent.end()
  return promise
}

const DECODE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = { br: brotliDecompressSync, gzip: gunzipSync }

describe.each([
  "/api/v1/health?type=sleep&days=60",
  "/api/v1/trend?metric=hrv&points=true&days=60",
  "/openapi.json",
  "/metrics",
])("%s", (path) => {
  test.each(["br", "gzip"])("is compressed with %s, to the same bytes each time", async (encoding) => {
    const plain = await get(path)
    const first = await get(path, { "accept-encoding": `deflate, ${encoding}` })
    const again = await get(path, { "accept-encoding": encoding })
    expect([plain.status, plain.headers["content-encoding"]]).toEqual([200, undefined])
    expect([first.status, first.headers["content-encoding"]]).toEqual([200, encoding])
    expect(String(first.headers["vary"]).toLowerCase()).toContain("accept-encoding")
    expect(first.bytes.length).toBeLessThan(plain.bytes.length / 2)
    // The metrics change with each request.
    if (path === "/metrics") return
    expect(DECODE[encoding]?.(first.bytes).equals(plain.bytes)).toBe(true)
    expect(again.bytes.equals(first.bytes)).toBe(true)
    expect(String(plain.headers["vary"]).toLowerCase()).toContain("accept-encoding")
  })

  test("is sent as it is to a client that refuses codings", async () => {
    for (const accepted of ["identity", "br;q=0, gzip;q=0", "zstd", "identity;q=1, br;q=0.5"])
      expect((await get(path, { "accept-encoding": accepted })).headers["content-encoding"]).toBeUndefined()
  })
})

test.each(["/api/v1/health?type=sleep&days=60", "/openapi.json"])(
  "each coding of %s has an entity tag of its own, and any of them is answered with 304 and that tag",
  async (path) => {
    const encodings = ["identity", "gzip", "br"]
    const answers = await Promise.all(encodings.map((encoding) => get(path, { "accept-encoding": encoding })))
    const tags = answers.map(({ headers }) => String(headers["etag"]))
    expect(new Set(tags).size).toBe(3)
    for (const tag of tags) {
      expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)
      for (const encoding of encodings) {
        const unchanged = await get(path, { "accept-encoding": encoding, "if-none-match": `"x", W/${tag}` })
        expect([unchanged.status, unchanged.headers["etag"], unchanged.bytes.length]).toEqual([304, tag, 0])
      }
    }
    const all = await get(path, { "accept-encoding": "br", "if-none-match": "*" })
    expect([all.status, all.headers["etag"]]).toEqual([304, tags[2]])
  },
)

test("an answer to a session is not compressed, because a link can put text into it", async () => {
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "omar@vendor.example" }))
  const own = await get("/api/account/health?type=sleep&days=60", { cookie: member.cookie, "accept-encoding": "br" })
  expect([own.status, own.headers["content-encoding"]]).toEqual([200, undefined])
})

test("/metrics is compressed on a port of its own too", async () => {
  using reserved = reservePort()
  const replica = await service.startReplica("api", { METRICS_PORT: String(reserved.port) })
  const headers = { ...METRICS_HEADERS, "accept-encoding": "gzip" }
  const answer = await fetch(`http://127.0.0.1:${reserved.port}/metrics`, { headers })
  expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, "gzip"])
  await replica.close()
})
