import Fastify from "fastify"
import { expect, test } from "vitest"
import { shedLoad } from "./readiness.ts"

function appWith(isSheddingLoad: boolean) {
  const app = Fastify()
  shedLoad(app, { isSheddingLoad })
  let answered = 0
  app.get("/healthz", async () => "ok")
  app.route({
    method: ["GET", "POST"],
    url: "/data",
    handler: async () => {
      answered += 1
      return "data"
    },
  })
  return { app, answered: () => answered }
}

test.each(["GET", "POST"] as const)("refuses a %s before anything is done", async (method) => {
  const { app, answered } = appWith(true)
  const answer = await app.inject({ method, url: "/data" })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers["retry-after"]).toBe("1")
  expect(answer.json()).toEqual({ error: "unavailable", message: "this process is stopping, try again" })
  expect(answered()).toBe(0)
})

test("sends a proxy that asks for it a status that means nothing else", async () => {
  const { app, answered } = appWith(true)
  const statusFor = async (header: string) =>
    (await app.inject({ url: "/data", headers: { "x-turn-away": header } })).statusCode
  expect(await statusFor("502")).toBe(502)
  expect(await statusFor("200")).toBe(503)
  expect(answered()).toBe(0)
})

test("still answers probes", async () => {
  expect((await appWith(true).app.inject("/healthz")).statusCode).toBe(200)
})

test("refuses nothing before the last moments of a drain", async () => {
  const { app, answered } = appWith(false)
  expect((await app.inject({ url: "/data", headers: { "x-turn-away": "502" } })).statusCode).toBe(200)
  expect(answered()).toBe(1)
})
