import Fastify, { type FastifyRequest } from "fastify"
import { expect, test } from "vitest"
import { errorAnswer } from "./errors.ts"
import { limitVisitors } from "./limit-visitors.ts"

const MOST = 8
const MOST_WAITING = 256
const VISITOR = "203.0.113.7"

/** An app whose requests end when the test ends them. */
function appWith(trustProxy: string | boolean = false) {
  const app = Fastify({ trustProxy })
  const waits: (() => void)[] = []
  limitVisitors(app, () => new Promise((resolve) => void waits.push(resolve)))
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = errorAnswer(error, request.id, new Date(0))
    return reply.code(status).headers(headers).send(body)
  })
  const handled: { readonly name: string; readonly end: () => void }[] = []
  const handle = (request: FastifyRequest) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    handled.push({ name: request.url, end: () => resolve("done") })
    return promise
  }
  app.get("/api/*", handle)
  app.get("*", handle)
  const send = (name: string, remoteAddress: string, forwarded?: string) =>
    app.inject({
      url: `/${name}`,
      remoteAddress,
      ...(forwarded !== undefined && { headers: { "x-forwarded-for": forwarded } }),
    })
  const sendOf = (session: string, url: string, name = "restwell.session_token=") =>
    app.inject({
      url,
      remoteAddress: "127.0.0.1",
      headers: { cookie: `other=1; ${name}${session}.c2lnbmF0dXJl` },
    })
  return { send, sendOf, handled, waits, names: () => handled.map(({ name }) => name) }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`)
const paths = (count: number) => many(count).map((name) => `/${name}`)

test("of one network's requests at once eight are handled, the others in their order as these end", async () => {
  const { send, handled, names } = appWith()
  const answers = Promise.all(many(20).map((name) => send(name, VISITOR)))
  for (let ended = 0; ended < 20; ended += 1) {
    await expect.poll(names).toEqual(paths(Math.min(MOST + ended, 20)))
    handled[ended]?.end()
  }
  expect((await answers).map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
})

test("another network waits for none of them, and addresses of one IPv6 network are one", async () => {
  const { send, handled, names } = appWith()
  const answers = many(MOST + 1).map((name, index) => send(name, `2001:db8:1:2::${index + 1}`))
  await expect.poll(names).toHaveLength(MOST)
  const other = send("other", "2001:db8:1:3::1")
  await expect.poll(names).toEqual([...paths(MOST), "/other"])
  handled.at(-1)?.end()
  expect((await other).statusCode).toBe(200)
  expect(names()).toHaveLength(MOST + 1)
  handled[0]?.end()
  await expect.poll(names).toHaveLength(MOST + 2)
  for (const { end } of handled) end()
  await Promise.all(answers)
})

test("more than 256 that wait are refused in words, and those before them are answered", async () => {
  const { send, handled, names } = appWith()
  const waiting = many(MOST + MOST_WAITING).map((name) => send(name, VISITOR))
  await expect.poll(names).toHaveLength(MOST)
  const refused = await send("refused", VISITOR)
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"])
  expect(refused.json()).toEqual({
    error: "rate_limited",
    message: "at most 256 requests of one network wait at a time, try again",
    limit: 256,
  })
  for (let ended = 0; ended < waiting.length; ended += 1) {
    await expect.poll(() => handled.length).toBeGreaterThan(ended)
    handled[ended]?.end()
  }
  expect((await Promise.all(waiting)).every(({ statusCode }) => statusCode === 200)).toBe(true)
})

test("a request that takes long makes room, and ends once", async () => {
  const { send, handled, waits, names } = appWith()
  const answers = many(MOST + 3).map((name) => send(name, VISITOR))
  await expect.poll(names).toHaveLength(MOST)
  waits[0]?.()
  await expect.poll(names).toHaveLength(MOST + 1)
  handled[0]?.end()
  await answers[0]
  expect(names()).toHaveLength(MOST + 1)
  for (const index of [1, 2]) handled[index]?.end()
  await expect.poll(names).toHaveLength(MOST + 3)
  for (const { end } of handled) end()
  await Promise.all(answers)
})

test.each([
  ["without a proxy", false, undefined, MOST + 4],
  ["behind a proxy that is not believed", false, VISITOR, MOST + 4],
  ["behind a proxy that names the visitor", "loopback", VISITOR, MOST],
  ["behind a proxy that names this computer", "loopback", "127.0.0.1", MOST],
] as const)("programs on this computer %s", async (_, trust, forwarded, expected) => {
  const { send, handled, names } = appWith(trust)
  const answers = many(MOST + 4).map((name) => send(name, "127.0.0.1", forwarded))
  await expect.poll(names).toHaveLength(expected)
  while (handled.length < MOST + 4) {
    for (const { end } of handled) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { end } of handled) end()
  await Promise.all(answers)
})

test("two requests of a session are handled at a time, another session and the files of the page wait for none of them", async () => {
  const { sendOf, handled, names } = appWith()
  const answers = many(4).map((name) => sendOf("ada", `/api/${name}`))
  await expect.poll(names).toEqual(["/api/r0", "/api/r1"])
  // The same session, written otherwise.
  answers.push(sendOf("%61da", "/api/encoded"), sendOf("ada", "/%61pi/encoded"))
  answers.push(sendOf("ada", "/api/blank", "restwell.session_token = "))
  answers.push(sendOf("ben", "/api/account"), sendOf("ada", "/assets/page.js"))
  await expect.poll(names).toEqual(["/api/r0", "/api/r1", "/api/account", "/assets/page.js"])
  handled[0]?.end()
  await expect.poll(names).toHaveLength(5)
  for (const index of [1, 2, 3, 4]) handled[index]?.end()
  await expect.poll(names).toHaveLength(7)
  for (const index of [5, 6]) handled[index]?.end()
  await expect.poll(names).toHaveLength(9)
  for (const { end } of handled) end()
  expect((await Promise.all(answers)).every(({ statusCode }) => statusCode === 200)).toBe(true)
})
