import { expect, test } from "vitest"
import { AccessTokenRejected, RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import { pauseBeforeRepeat, pauseIfNeverSent, withRetries } from "./retry.ts"

/** Runs attempts that fail with these errors in turn and then succeed. Returns the outcome and the pauses. */
async function run(failures: Error[], pause = pauseBeforeRepeat) {
  const pauses: number[] = []
  let tries = 0
  const tools = {
    random: () => 0.5,
    delay: async (delayMs: number) => {
      pauses.push(delayMs)
    },
  }
  const outcome = await withRetries(tools, pause, async () => {
    const failure = failures[tries]
    tries += 1
    if (failure) throw failure
    return "answer"
  }).catch((error: unknown) => error)
  return { outcome, pauses, tries }
}

test("repeats a failure that may pass, waiting longer each time", async () => {
  const failures = [new VendorUnavailable("first"), new VendorUnavailable("second")]
  expect(await run(failures)).toEqual({ outcome: "answer", pauses: [300, 600], tries: 3 })
})

test("gives up after three tries, with the last error", async () => {
  const failures = [1, 2, 3, 4].map((number) => new VendorUnavailable(`try ${number}`))
  const { outcome, tries } = await run(failures)
  expect(outcome).toBe(failures[2])
  expect(tries).toBe(3)
})

test("waits the few seconds a vendor names, and a random part of one more", async () => {
  expect((await run([new RateLimited("full", 3)])).pauses).toEqual([3500])
  expect((await run([new VendorUnavailable("busy", { retryAfterSeconds: 5 })])).pauses).toEqual([5500])
})

test("leaves a longer wait to the caller", async () => {
  const error = new RateLimited("full", 6)
  expect(await run([error])).toEqual({ outcome: error, pauses: [], tries: 1 })
  expect((await run([new VendorUnavailable("busy", { retryAfterSeconds: 60 })])).tries).toBe(1)
})

test.each([new AccessTokenRejected("401"), new RequestRefused("400"), new TypeError("a mistake of ours")])(
  "does not repeat what cannot pass: %s",
  async (error) => expect(await run([error])).toEqual({ outcome: error, pauses: [], tries: 1 }),
)

test("repeats a call that must not arrive twice only where no connection came about", async () => {
  const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" })
  const neverSent = new VendorUnavailable("down", { cause: new TypeError("fetch failed", { cause: refused }) })
  expect((await run([neverSent], pauseIfNeverSent)).tries).toBe(2)
  const cutOff = Object.assign(new Error("read"), { code: "ECONNRESET" })
  const maybeSent = new VendorUnavailable("down", { cause: new TypeError("fetch failed", { cause: cutOff }) })
  expect((await run([maybeSent], pauseIfNeverSent)).tries).toBe(1)
  expect((await run([new VendorUnavailable("503")], pauseIfNeverSent)).tries).toBe(1)
})
