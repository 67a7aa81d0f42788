import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 5 })
})
afterAll(() => service.close())

const answeredId = async (headers: Record<string, string>): Promise<string> =>
  (await fetch(`${service.url}/healthz`, { headers })).headers.get("x-request-id") ?? ""

test("sends a unique id with every response", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => answeredId({})))
  for (const id of ids) expect(id).toMatch(OWN_ID)
  expect(new Set(ids).size).toBe(20)
})

test("keeps the id of a proxy, in the response and in the log", async () => {
  expect(await answeredId({ "x-request-id": "proxy-7.a:b_C" })).toBe("proxy-7.a:b_C")
  await expect.poll(() => service.log.some((line) => line.includes('"reqId":"proxy-7.a:b_C"'))).toBe(true)
})

test.each(["", " ", "a b", 'x"y', "x".repeat(65), "<script>", "é", "a, b"])(
  "does not repeat the invalid id %j in the response or in the log",
  async (given) => {
    expect(await answeredId({ "x-request-id": given })).toMatch(OWN_ID)
    if (given.trim() !== "") expect(service.log.some((line) => line.includes(`"reqId":"${given}"`))).toBe(false)
  },
)
