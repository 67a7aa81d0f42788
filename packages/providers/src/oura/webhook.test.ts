import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import { readOuraWebhook } from "./webhook.ts"

const { readFixtureText } = fixturesOf("oura")

const SECRET = "client-secret-1"
const SECONDS = "1795243290"

const sign = (body: string, timestamp = SECONDS, secret = SECRET) =>
  createHmac("sha256", secret).update(`${timestamp}${body}`).digest("hex").toUpperCase()

function read(body: string, changes: Record<string, string> = {}, signature = sign(body, changes["x-oura-timestamp"])) {
  const headers = { "x-oura-timestamp": SECONDS, "x-oura-signature": signature, ...changes }
  return readOuraWebhook(SECRET, { headers, rawBody: new TextEncoder().encode(body) })
}
const eventOf = (changes: object) => JSON.stringify({ ...JSON.parse(readFixtureText("event")), ...changes })

test("reads an event of a part of a record by the part's id", () => {
  expect(read(readFixtureText("event"))).toStrictEqual({
    outcome: "events",
    signedAt: new Date(1_795_243_290_000),
    events: [
      {
        memberId: "0e8f5a0c-1d2e-4f3a-8b4c-5d6e7f809107",
        kind: "sleep",
        namedBy: "record",
        providerId: "daily_sleep.9a0c8d3b-1f8f-4f7a-8a3d-77a3e7a4f702",
        eventId: "daily_sleep/9a0c8d3b-1f8f-4f7a-8a3d-77a3e7a4f702/update/2026-11-21T06:41:30+00:00",
      },
    ],
  })
})

test.each([
  ["sleep", "sleep", "id-1"],
  ["daily_readiness", "recovery", "id-1"],
  ["daily_spo2", "recovery", "daily_spo2.id-1"],
  ["daily_activity", "cycle", "id-1"],
  ["workout", "workout", "id-1"],
])("an event of %s is about a %s", (data_type, kind, providerId) => {
  expect(read(eventOf({ data_type, object_id: "id-1" }))).toMatchObject({ events: [{ kind, providerId }] })
})

test.each(["create", "update", "delete"])("a %s leads to a read of the record", (event_type) => {
  expect(read(eventOf({ event_type })).outcome).toBe("events")
})

test.each([
  ["seconds", SECONDS],
  ["milliseconds", `${SECONDS}000`],
])("takes a timestamp in %s", (_unit, timestamp) => {
  const body = readFixtureText("event")
  expect(read(body, { "x-oura-timestamp": timestamp })).toMatchObject({ signedAt: new Date(1_795_243_290_000) })
})

test("takes a signature in any case", () => {
  const body = readFixtureText("event")
  expect(read(body, {}, sign(body).toLowerCase()).outcome).toBe("events")
})

test.each([
  ["another secret", (body: string) => sign(body, SECONDS, "another")],
  ["another body", () => sign("{}")],
  ["another timestamp", (body: string) => sign(body, "1795243291")],
  ["no signature", () => ""],
  ["half a signature", (body: string) => sign(body).slice(0, 32)],
])("refuses %s", (_what, signatureOf) => {
  const body = readFixtureText("event")
  expect(read(body, {}, signatureOf(body))).toEqual({ outcome: "forged" })
})

test.each(["tag", "heartrate", "toString", "__proto__"])("ignores the type %s", (data_type) => {
  expect(read(eventOf({ data_type })).outcome).toBe("unknown_type")
})

test.each(["no JSON", "[]", eventOf({ object_id: "../x" }), eventOf({ user_id: null })])("cannot read %s", (body) => {
  expect(read(body)).toMatchObject({ outcome: "unreadable", reason: expect.any(String) })
})
