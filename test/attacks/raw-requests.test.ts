import { connect } from "node:net"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"

const REQUESTS = 250
const PATIENCE_MS = 5_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1 })
})
afterAll(() => service.close())

test(`${REQUESTS} random texts that may not be HTTP get JSON or a closed connection`, async () => {
  const line = fc.oneof(
    fc.constantFrom(
      "GET /api/v1/health HTTP/1.1",
      "GET / HTTP/9.9",
      "Host: x",
      "Host: y",
      "Content-Length: 5",
      "Content-Length: -1",
      "Transfer-Encoding: chunked",
      "Expect: 100-continue",
      "Upgrade: h2c",
      "Connection: Upgrade",
      "",
    ),
    fc.string({ unit: "binary-ascii", maxLength: 80 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const answer = await sendRaw(`${lines.join("\r\n")}\r\n\r\n`)
      if (answer === "") return
      expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /)
      expect(answer).not.toMatch(/<html/i)
    }),
    { numRuns: REQUESTS },
  )
}, 120_000)

test("what HEAD asks is refused without a body, also where it is no valid request", async () => {
  for (const lines of [
    ["HEAD / HTTP/1.1", "Host: x", `X: ${"x".repeat(20_000)}`],
    [`HEAD /docs?x=${"x".repeat(20_000)} HTTP/1.1`, "Host: x"],
    ["HEAD / HTTP/1.1", "Host: x", "no header"],
    ["HEAD / HTTP/1.1", "Host: x", "Content-Length: -1"],
  ])
    expect(await sendRaw(`${lines.join("\r\n")}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 4\d\d [\s\S]*\r\n\r\n$/)
})

/** Sends text and ends the connection. Resolves with the response. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(service.url)
    const socket = connect(Number(port), "127.0.0.1")
    let answer = ""
    socket.setTimeout(PATIENCE_MS, () => reject(new Error(`no answer and no end to ${JSON.stringify(text)}`)))
    socket.on("data", (data) => {
      answer += data
    })
    socket.on("close", () => resolve(answer)).on("error", () => resolve(answer))
    socket.end(text)
  })
