import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T23:30:00Z") })
  member = await signedUp()
})
afterAll(() => service.close())

const PATH = "/api/account/preferences"

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

test("nothing is stored at first, and what is set stays until it is set again", async () => {
  const read = async () => (await member.send("GET", PATH)).json()
  const defaults = {
    units: "metric",
    clock: "24h",
    first_weekday: "monday",
    days_off: ["saturday", "sunday"],
    time_zone: null,
    trend_cards: null,
    hidden_cards: null,
    no_main_device: false,
  }
  expect(await read()).toEqual({ ...defaults, stored: [] })
  const set = await member.send("PUT", PATH, { units: "imperial", time_zone: "America/New_York" })
  expect(set.status).toBe(200)
  const stored = { ...defaults, units: "imperial", time_zone: "America/New_York", stored: ["units", "time_zone"] }
  expect(await set.json()).toEqual(stored)
  expect(await read()).toEqual(stored)
  await member.send("PUT", PATH, {
    clock: "12h",
    first_weekday: "sunday",
    days_off: ["friday", "saturday"],
    time_zone: null,
    trend_cards: ["hrv"],
    hidden_cards: ["steps"],
    no_main_device: true,
  })
  expect(await read()).toEqual({
    units: "imperial",
    clock: "12h",
    first_weekday: "sunday",
    days_off: ["friday", "saturday"],
    time_zone: null,
    trend_cards: ["hrv"],
    hidden_cards: ["steps"],
    no_main_device: true,
    stored: ["units", "clock", "first_weekday", "days_off", "trend_cards", "hidden_cards", "no_main_device"],
  })
  const reset = await (await member.send("PUT", PATH, { days_off: null })).json()
  expect(reset.days_off).toEqual(["saturday", "sunday"])
  expect(reset.stored).not.toContain("days_off")
})

test("what the browser suggests never replaces what is stored", async () => {
  const other = await signedUp()
  await other.send("PUT", PATH, { clock: "12h" })
  const answer = await other.send("PUT", PATH, { units: "imperial", clock: "24h", suggested: true })
  expect(await answer.json()).toMatchObject({ units: "imperial", clock: "12h", stored: ["units", "clock"] })
})

test("preferences of one person are not another's, and need a session", async () => {
  const other = await signedUp()
  await member.send("PUT", PATH, { units: "imperial" })
  expect((await (await other.send("GET", PATH)).json()).stored).toEqual([])
  const stranger = new Member(service)
  expect([(await stranger.send("GET", PATH)).status, (await stranger.send("PUT", PATH, {})).status]).toEqual([401, 401])
  expect((await member.send("PUT", PATH, { units: "metric" }, { origin: "https://evil.example" })).status).toBe(403)
})

test("the time zone decides which date is today, until a record does", async () => {
  const tomorrow = () => member.send("GET", "/api/account/journal/2026-11-21")
  expect((await tomorrow()).status).toBe(400)
  await member.send("PUT", PATH, { time_zone: "Asia/Tokyo" })
  expect((await tomorrow()).status).toBe(200)
})

test.each([
  [{ units: "furlongs" }, "units"],
  [{ clock: 12 }, "clock"],
  [{ first_weekday: "friday" }, "first_weekday"],
  [{ time_zone: "Mars/Olympus" }, "time_zone"],
  [{ time_zone: "+01:00" }, "time_zone"],
  [{ trend_cards: ["hrv", "mood"] }, "trend_cards.1"],
  [{ trend_cards: ["hrv", "hrv"] }, "trend_cards"],
  [{ colour: "red" }, "body"],
])("%j is refused", async (change, field) => {
  const response = await member.send("PUT", PATH, change)
  expect([response.status, await response.json()]).toMatchObject([400, { field }])
})

test.each([
  [[], "must have 1 to 6 weekdays"],
  [["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"], "must have 1 to 6 weekdays"],
  [["friday", "friday"], "must have each weekday once"],
  [["friday", "Sat"], "must be some of monday, tuesday"],
])("days off %j are refused, and the answer says why", async (days, reason) => {
  const response = await member.send("PUT", PATH, { days_off: days })
  expect([response.status, JSON.stringify(await response.json())]).toEqual([400, expect.stringContaining(reason)])
})
