import { afterEach, expect, test } from "vitest"
import { type Simulator, startSimulator } from "../src/index.ts"
import { ask, signIn } from "./sign-in.ts"

const NOW = new Date("2026-11-20T12:00:10Z")
let simulator: Simulator
afterEach(() => simulator.close())

const PROFILE = "/v2/user/profile/basic"
const rateHeaders = ({ headers }: Response) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`))

test("the headers contain the nearest limit, its remaining requests and the seconds to its reset", async () => {
  simulator = await startSimulator({ now: NOW, days: 1 })
  const tokens = await signIn(simulator, "lena@example.com")
  await ask(simulator, tokens, PROFILE)
  const reply = await ask(simulator, tokens, PROFILE)
  expect(rateHeaders(reply)).toEqual(["100, 100;window=60, 10000;window=86400", "98", "50"])
})

test("all users of the app share one limit; over it the response is 429 without Retry-After", async () => {
  simulator = await startSimulator({ now: NOW, days: 1, rateLimits: { perMinute: 4, perDay: 100 } })
  const people = [await signIn(simulator, "lena@example.com"), await signIn(simulator, "sam@example.com")]
  const requests = [...people, ...people, ...people].map((tokens) => ask(simulator, tokens, PROFILE))
  const replies = await Promise.all(requests)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(4)
  const refused = replies.find(({ status }) => status === 429)
  expect(refused?.headers.get("retry-after")).toBeNull()
  expect(refused && rateHeaders(refused)).toEqual(["4, 4;window=60, 100;window=86400", "0", "50"])
})

test("the minute limit resets with the clock, the day limit does not", async () => {
  simulator = await startSimulator({ now: NOW, days: 1, rateLimits: { perMinute: 2, perDay: 3 } })
  const tokens = await signIn(simulator, "lena@example.com")
  const statuses = async () => [
    (await ask(simulator, tokens, PROFILE)).status,
    (await ask(simulator, tokens, PROFILE)).status,
  ]
  expect(await statuses()).toEqual([200, 200])
  expect(await statuses()).toEqual([429, 429])
  simulator.clock.advance(50_000)
  expect(await statuses()).toEqual([200, 429])
  const refused = await ask(simulator, tokens, PROFILE)
  expect(rateHeaders(refused)[0]).toBe("3, 2;window=60, 3;window=86400")
  expect(Number(rateHeaders(refused)[2])).toBe(11 * 3600 + 59 * 60)
})

test("sends no headers when limits are off", async () => {
  simulator = await startSimulator({ now: NOW, days: 1, rateLimits: "off" })
  const reply = await ask(simulator, await signIn(simulator, "lena@example.com"), PROFILE)
  expect(rateHeaders(reply)).toEqual([null, null, null])
})
