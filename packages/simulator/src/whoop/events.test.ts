import { expect, test } from "vitest"
import { Grants } from "../vendor/grants.ts"
import { SimulatedClock } from "../world/clock.ts"
import { People } from "../world/people.ts"
import { createMemberRecords } from "./records/person-records.ts"
import { RateLimiter, whoopSettings } from "./vendor.ts"
import { eventsBetween } from "./webhooks.ts"

const clock = new SimulatedClock(new Date("2026-11-20T12:00:00Z"))
const nowMs = () => clock.nowMs()
const settings = whoopSettings({})
const people = new People({ seed: "1", nowMs, days: 1500, fromMs: undefined, wearsAlways: false })
const grants = new Grants({ nowMs, accessTokenSeconds: settings.accessTokenSeconds, isRefreshable: () => true })
const recordsOf = createMemberRecords(people, nowMs)
const vendor = { settings, clock, people, recordsOf, grants, rateLimiter: new RateLimiter("off", nowMs) }

const person = people.add({ email: "connected@example.com" })
people.add({ email: "unconnected@example.com" })
const grant = { userId: person.userId, clientId: settings.clientId, scopes: ["offline"] }
grants.exchangeCode(grants.issueCode(grant, "http://localhost"), settings.clientId, "http://localhost")
const events = eventsBetween(vendor, 0, nowMs())
const ofType = (type: string) => events.filter((event) => event.type === type)

test("returns events of connected people only, oldest first", () => {
  expect(new Set(events.map(({ userId }) => userId))).toEqual(new Set([person.userId]))
  expect(events.map(({ atMs }) => atMs)).toEqual(events.map(({ atMs }) => atMs).toSorted((left, right) => left - right))
})

test("identifies a recovery by the UUID of its sleep, also when both are deleted", () => {
  const sleeps = new Set(ofType("sleep.updated").map(({ id }) => id))
  expect(ofType("recovery.updated").every(({ id }) => sleeps.has(id))).toBe(true)
  const deletedNights = ofType("recovery.deleted")
  expect(deletedNights.length).toBeGreaterThan(0)
  for (const { id, atMs } of deletedNights)
    expect(ofType("sleep.deleted")).toContainEqual({ ...deletedNights[0], id, atMs, type: "sleep.deleted" })
})

test("announces a night when it has its score, not while it is pending", () => {
  for (const { id, atMs } of ofType("sleep.updated")) {
    expect(recordsOf(person).sleeps.at(id, atMs)?.score_state).not.toBe("PENDING_SCORE")
  }
})
