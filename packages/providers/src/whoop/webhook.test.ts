import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { readFixtureText } from "./fixtures/read-fixture.ts"
import { subjectOfEvent, verifyWhoopSignature, WhoopEventSchema } from "./webhook.ts"

const secret = "made-up-secret"
const timestamp = "1795071743001"
const rawBody = Buffer.from(readFixtureText("event"))
const signature = createHmac("sha256", secret)
  .update(Buffer.concat([Buffer.from(timestamp), rawBody]))
  .digest("base64")
const signed = { secret, timestamp, rawBody, signature }

test("knows WHOOP's signature", () => expect(verifyWhoopSignature(signed)).toBe(true))

test("agrees with a signature computed elsewhere", () => {
  // printf '1700000000000{"a":1}' | openssl dgst -sha256 -hmac key -binary | base64
  const known = "e3QIZdjQjnOq37ZbtPvgTdsCm1XVTG0+XvqtuyrbYwU="
  const event = { secret: "key", timestamp: "1700000000000", rawBody: Buffer.from('{"a":1}'), signature: known }
  expect(verifyWhoopSignature(event)).toBe(true)
})

test.each([
  ["another secret", { secret: "guessed" }],
  ["another body", { rawBody: Buffer.from(`${rawBody} `) }],
  ["another time", { timestamp: "1795071743002" }],
  ["no signature", { signature: "" }],
  ["a longer signature", { signature: `${signature}=` }],
  ["a signature in hexadecimal", { signature: Buffer.from(signature, "base64").toString("hex") }],
  ["a time that is no number", { timestamp: "1795071743001 " }],
  ["bytes moved from the body to the time", { timestamp: `${timestamp}{`, rawBody: rawBody.subarray(1) }],
])("rejects %s", (_case, change) => expect(verifyWhoopSignature({ ...signed, ...change })).toBe(false))

test("reads an event, with numbers and legacy ids as text", () => {
  expect(WhoopEventSchema.parse(JSON.parse(`${rawBody}`))).toEqual({
    user_id: "42",
    id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
    type: "recovery.updated",
    trace_id: "e369c784-5100-49e8-8098-75d35c47b31b",
  })
  expect(WhoopEventSchema.parse({ user_id: 42, id: 10235, type: "sleep.updated" }).id).toBe("10235")
})

test.each([{ id: "../../v2/cycle" }, { id: null }, { type: 3 }, { user_id: null }])(
  "refuses an event with %j",
  (change) => expect(WhoopEventSchema.safeParse({ ...JSON.parse(`${rawBody}`), ...change }).success).toBe(false),
)

test("tells what an event is about, and leaves an unknown one open", () => {
  expect(subjectOfEvent("workout.deleted")).toEqual({ kind: "workout", change: "deleted" })
  expect(subjectOfEvent("cycle.updated")).toBeUndefined()
})
