// Our own export is everything: imported into an empty service it gives the same answers, and the same export.
import { MOST_SOURCE_CHOICES, PREFERENCE_KEYS } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { type OuraSimulator, startOuraSimulator } from "@restwell/simulator"
import { ouraArchive, whoopArchive } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "./upload-archive.ts"

let service: TestService
let empty: TestService
let oura: OuraSimulator
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  empty = await startTestService({ days: 1 })
  oura = await startOuraSimulator({ seed: 5, now: service.simulator.clock.now(), days: 200 })
  service.simulator.people.add({ email: "lena@vendor.example" })
})
afterAll(async () => {
  await service.close()
  await empty.close()
  await oura.close()
})

const ORDER = [{ type: "sleep", providers: ["oura", "whoop"] }]
const INCLUDE = { private_topics: "include" }
const TYPES = ["summary", "sleep", "recovery", "workout", "cycle", "profile"]

async function signedUp(at: TestService): Promise<{ member: Member; key: string }> {
  const member = new Member(at)
  await member.signUp()
  return { member, key: await member.newKey() }
}

const exportOf = async (member: Member): Promise<string> => (await member.send("GET", "/api/account/export")).text()

/** What an account owns. The rest of an export is about the account itself, which is another one. */
function dataOf(document: string) {
  const { records, profiles, journal, series, source_order, source_choices, user } = JSON.parse(document)
  const preferences = Object.fromEntries(PREFERENCE_KEYS.map((key) => [key, user[key]]))
  return { records, profiles, journal, series, source_order, source_choices, preferences }
}

/** Every answer about every date of 200 days. */
async function answersOf({ url, simulator }: TestService, key: string): Promise<unknown[]> {
  const read = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status, path).toBe(200)
    const { source: _, sources: __, ...answer } = await response.json()
    return answer
  }
  const answers: unknown[] = []
  for (const daysAgo of [1, 90, 180])
    for (const days of [7, 90]) {
      const end = new Date(simulator.clock.nowMs() - daysAgo * 86_400_000).toISOString().slice(0, 10)
      for (const type of TYPES) answers.push(await read(`/api/v1/health?type=${type}&end_date=${end}&days=${days}`))
      for (const type of ["sleep", "recovery", "workout", "cycle"])
        answers.push(await read(`/api/v1/health?type=${type}&end_date=${end}&days=${days}&source=all`))
      answers.push(await read(`/api/v1/journal?end_date=${end}&days=${days}`))
    }
  return answers
}

test("export, import and export again are equal, with the same answers of every type and date", async () => {
  const { member } = await Member.connected(service, { email: "lena@vendor.example" })
  await importedArchive(service.url, member, whoopArchive(service.simulator.records("lena@vendor.example")), INCLUDE)
  const person = oura.people.list()[0]
  if (!person) throw new Error("nobody at Oura")
  await importedArchive(service.url, member, ouraArchive(oura.records(person)), INCLUDE)
  const night = oura.records(person).sleep.at(0)?.day ?? ""
  const settings = {
    // Without an order a connection goes before an archive. The records of both have to remember what they were.
    order: { sleep: ["oura", "whoop"] },
    choices: [{ type: "sleep", date: night, source: "whoop" }],
  }
  expect((await member.send("PUT", "/api/account/sources", settings)).status).toBe(200)
  const shown = {
    units: "imperial",
    clock: "12h",
    first_weekday: "sunday",
    days_off: ["friday"],
    time_zone: "America/New_York",
  }
  expect((await member.send("PUT", "/api/account/preferences", { ...shown, trend_cards: ["hrv"] })).status).toBe(200)
  const first = await exportOf(member)
  const other = await signedUp(empty)
  const done = await importedArchive(empty.url, other.member, Buffer.from(first), INCLUDE)
  expect(done).toMatchObject({ status: "done", error: null, report: { unchanged: 0, ignored: [] } })
  const second = await exportOf(other.member)
  expect(dataOf(second)).toEqual(dataOf(first))
  const { records, journal, source_order, source_choices } = dataOf(first)
  expect([records.length > 1000, journal.length > 500]).toEqual([true, true])
  expect([source_order.length, source_choices.length]).toEqual([1, 1])
  empty.simulator.clock.set(service.simulator.clock.now())
  const key = await member.newKey()
  expect(await answersOf(empty, other.key)).toEqual(await answersOf(service, key))
}, 120_000)

test("an import restores no sources where the person set some, and undoing it removes only what it restored", async () => {
  const sourcesOf = async (member: Member) => {
    const { order, choices } = await (await member.send("GET", "/api/account/sources")).json()
    return { order, choices }
  }
  const preferred = {
    exported_at: "2026-11-20T12:00:00.000Z",
    source_order: ORDER,
    source_choices: [{ type: "sleep", date: "2026-11-02", provider: "whoop" }],
    journal: [],
    records: [],
  }
  const file = Buffer.from(JSON.stringify(preferred))
  const { member } = await signedUp(empty)
  const before = await sourcesOf(member)
  const first = await importedArchive(empty.url, member, file)
  const restored = await sourcesOf(member)
  expect(restored.order.sleep).toEqual(["oura", "whoop"])
  expect(restored.choices).toEqual([{ type: "sleep", date: "2026-11-02", source: "whoop" }])
  await member.send("DELETE", `/api/imports/${first?.id}`)
  expect(await sourcesOf(member)).toEqual(before)
  await member.send("PUT", "/api/account/sources", { order: { cycle: ["whoop", "oura"] } })
  const second = await importedArchive(empty.url, member, file)
  expect((await sourcesOf(member)).order).toMatchObject({ sleep: [], cycle: ["whoop", "oura"] })
  await member.send("DELETE", `/api/imports/${second?.id}`)
  expect(await sourcesOf(member)).toMatchObject({ order: { sleep: [], cycle: ["whoop", "oura"] }, choices: [] })
})

test("an import restores all choices of sources that a person may have, and says that it leaves out more of them", async () => {
  const document = {
    exported_at: "2026-11-20T12:00:00.000Z",
    source_order: Array.from({ length: 5 }, () => ORDER).flat(),
    source_choices: Array.from({ length: MOST_SOURCE_CHOICES + 2 }, (_, index) => ({
      type: "sleep",
      date: addDays("2010-01-01", index),
      provider: "whoop",
    })),
  }
  const { member } = await signedUp(empty)
  const done = await importedArchive(empty.url, member, Buffer.from(JSON.stringify(document)))
  expect(done).toMatchObject({ status: "done", error: null })
  expect(done?.report.ignored).toEqual([
    { reason: "order of sources: more than 4, the others left out", count: 1 },
    { reason: "choices of sources: more than 5000, the others left out", count: 2 },
  ])
  const { order, choices } = await (await member.send("GET", "/api/account/sources")).json()
  expect([order.sleep, choices.length]).toEqual([["oura", "whoop"], MOST_SOURCE_CHOICES])
})

test("an import restores preferences where the browser suggested them or nothing is set, and undoing it removes them", async () => {
  const path = "/api/account/preferences"
  const file = Buffer.from(
    JSON.stringify({
      exported_at: "2026-11-20T12:00:00.000Z",
      user: {
        id: "x",
        units: "imperial",
        clock: "12h",
        first_weekday: null,
        days_off: ["friday", "saturday"],
        time_zone: "Asia/Tokyo",
        hidden_cards: ["hrv"],
        no_main_device: true,
      },
    }),
  )
  const { member } = await signedUp(empty)
  const stored = async () => (await member.send("GET", path)).json()
  const suggested = {
    units: "metric",
    clock: "24h",
    first_weekday: "monday",
    time_zone: "Europe/Berlin",
    suggested: true,
  }
  await member.send("PUT", path, suggested)
  await member.send("PUT", path, { clock: "24h" })
  const before = await stored()
  const first = await importedArchive(empty.url, member, file)
  const restored = {
    ...before,
    units: "imperial",
    time_zone: "Asia/Tokyo",
    hidden_cards: ["hrv"],
    no_main_device: true,
  }
  const keys = ["units", "clock", "first_weekday", "days_off", "time_zone", "hidden_cards", "no_main_device"]
  expect(await stored()).toEqual({ ...restored, days_off: ["friday", "saturday"], stored: keys })
  // What an import restored is the person's own from then on.
  await member.send("PUT", path, { ...suggested, units: "metric" })
  expect(await stored()).toMatchObject({ units: "imperial", hidden_cards: ["hrv"] })
  await member.send("PUT", path, { hidden_cards: ["steps"] })
  await member.send("DELETE", `/api/imports/${first?.id}`)
  expect(await stored()).toMatchObject({
    clock: "24h",
    hidden_cards: ["steps"],
    stored: ["clock", "first_weekday", "hidden_cards"],
  })
})

test("a preference of an export that nobody can have is left out, and the rest is imported", async () => {
  const { member } = await signedUp(empty)
  const document = { exported_at: "2026-11-20T12:00:00.000Z", user: { units: "furlongs" }, source_order: ORDER }
  const done = await importedArchive(empty.url, member, Buffer.from(JSON.stringify(document)))
  expect(done).toMatchObject({ status: "done", report: { ignored: [{ count: 1 }] } })
  expect(done?.report.ignored[0].reason).toMatch(/units left out: must be one of metric, imperial/)
  expect((await (await member.send("GET", "/api/account/sources")).json()).order.sleep).toEqual(["oura", "whoop"])
})
