import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { kindOfEvent, readWhoopWebhook, verifyWhoopSignature, WhoopEventSchema } from "./webhook.ts"

const { readFixtureText } = fixturesOf("whoop")

const secret = "made-up-secret"
const timestamp = "1795071743001"
const rawBody = Buffer.from(readFixtureText("event"))
const signature = createHmac("sha256", secret)
  .update(Buffer.concat([Buffer.from(timestamp), rawBody]))
  .digest("base64")
const signed = { secret, timestamp, rawBody, signature }

test("accepts WHOOP's signature", () => expect(verifyWhoopSignature(signed)).toBe(true))

test("accepts a signature computed by openssl", () => {
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
  ["a time that is not a number", { timestamp: "1795071743001 " }],
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

test("returns the kind of an event, and undefined for an unknown type", () => {
  expect(kindOfEvent("workout.deleted")).toBe("workout")
  expect(kindOfEvent("cycle.updated")).toBeUndefined()
})

const request = (body: string, more: { secret?: string; timestamp?: string } = {}) => {
  const at = more.timestamp ?? timestamp
  const bytes = Buffer.from(body)
  const sign = createHmac("sha256", more.secret ?? secret)
    .update(Buffer.concat([Buffer.from(at), bytes]))
    .digest("base64")
  return { headers: { "x-whoop-signature": sign, "x-whoop-signature-timestamp": at }, rawBody: bytes }
}

test("reads a signed event with the id of its record", () => {
  const body = JSON.stringify({ user_id: 10129, id: "5f0c2c0e", type: "sleep.updated", trace_id: "t" })
  expect(readWhoopWebhook(secret, request(body))).toEqual({
    outcome: "events",
    signedAt: new Date(Number(timestamp)),
    events: [
      {
        memberId: "10129",
        kind: "sleep",
        namedBy: "record",
        providerId: "5f0c2c0e",
        eventId: "t/sleep.updated/5f0c2c0e",
      },
    ],
  })
})

test("names a recovery by its sleep, and gives an event without a trace no id", () => {
  const body = JSON.stringify({ user_id: "10129", id: "5f0c2c0e", type: "recovery.deleted" })
  expect(readWhoopWebhook(secret, request(body))).toMatchObject({
    events: [{ memberId: "10129", kind: "recovery", namedBy: "sleep", providerId: "5f0c2c0e" }],
  })
  expect(readWhoopWebhook(secret, request(body))).not.toHaveProperty("events.0.eventId")
})

test.each([
  ["with another signature", request("{", { secret: "guessed" }), "forged"],
  ["without headers", { headers: {}, rawBody }, "forged"],
  ["with a header twice", { headers: { "x-whoop-signature": ["a", "b"] }, rawBody }, "forged"],
  ["that is not JSON", request("sleep"), "unreadable"],
  ["of another shape", request('{"user_id":1}'), "unreadable"],
  [
    "of a member whose id is no number",
    request('{"user_id":"a\\u0000","id":"a","type":"sleep.updated"}'),
    "unreadable",
  ],
  ["with a NUL in its id", request('{"user_id":1,"id":"a\\u0000","type":"sleep.updated"}'), "unreadable"],
  ["with a path as id", request('{"user_id":1,"id":"../user","type":"sleep.updated"}'), "unreadable"],
  ["of an unknown type", request('{"user_id":1,"id":"a","type":"body.updated"}'), "unknown_type"],
])("classifies a webhook %s", (_case, webhook, outcome) => {
  expect(readWhoopWebhook(secret, webhook).outcome).toBe(outcome)
})
