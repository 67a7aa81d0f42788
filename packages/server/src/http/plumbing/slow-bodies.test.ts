// How long a body may take to arrive, whatever stands behind the path of its request.
import { once } from "node:events"
import { request as httpRequest } from "node:http"
import { setTimeout as wait } from "node:timers/promises"
import Fastify from "fastify"
import { expect, test } from "vitest"
import { refuseSlowBodies } from "./errors.ts"

const LIMIT_MS = 100

test.each([
  ["/slow", 200],
  ["/slow?device=iphone", 200],
  ["/slo%77", 200],
  ["/fast", 408],
  ["/fast?as=/slow", 408],
])("a slow body for %s is answered with %d", async (path, expected) => {
  const app = Fastify()
  refuseSlowBodies(app, { limitMs: LIMIT_MS, exceptPaths: ["/slow"], wait: (milliseconds) => wait(milliseconds) })
  for (const route of ["/slow", "/fast"]) app.post(route, () => "taken")
  const url = await app.listen({ host: "127.0.0.1", port: 0 })
  const request = httpRequest(`${url}${path}`, { method: "POST", headers: { "content-type": "application/json" } })
  request.on("error", () => {})
  request.write("{")
  const answered = once(request, "response")
  void wait(4 * LIMIT_MS).then(() => request.end("}"))
  const [response] = await answered
  expect(Object(response).statusCode).toBe(expected)
  await app.close()
})
