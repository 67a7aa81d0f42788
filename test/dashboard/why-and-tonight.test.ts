// Why a morning is as it is, and when to go to bed, from the person's own figures.
import { DayResponseSchema } from "@restwell/client"
import { enduranceAthlete, startOuraSimulator, wornAlways } from "@restwell/simulator"
import { ouraArchive } from "@restwell/testing/archive"
import { expectAccessible, PHONE, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
const browser = useBrowser()
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 60, now: new Date("2026-03-11T18:30:00Z"), isStill: true })
  const person = service.simulator.people.add({ email: "why@example.com", traits: wornAlways(enduranceAthlete) })
  ;({ member } = await Member.connected(service, person))
})
afterAll(() => service.close())

/** Somebody with the archive of a ring alone. */
async function ringWearer(): Promise<Member> {
  const wearer = new Member(service)
  await wearer.signUp()
  const oura = await startOuraSimulator({ seed: 5, now: service.simulator.clock.now(), days: 30 })
  const [person] = oura.people.list()
  if (person === undefined) throw new Error("nobody at Oura")
  const bytes = ouraArchive(oura.records(person))
  await oura.close()
  expect(await importedArchive(service.url, wearer, bytes)).toMatchObject({ status: "done" })
  return wearer
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })

describe("the morning", () => {
  test("has what is beside the score, the least favourable first, and the day before", async () => {
    const { page, open, close } = await visit(browser, service, { member: member })
    await open("/")
    const why = region(page, "Why")
    await why.getByRole("listitem").first().waitFor()
    const day = DayResponseSchema.parse(await (await member.send("GET", "/api/account/day?rows=30")).json())
    const names = await why.getByRole("heading", { level: 3 }).allTextContents()
    expect(names.toSorted()).toEqual([
      "Heart rate variability",
      "Resting heart rate",
      "Strain, the day before",
      "Time asleep",
    ])
    const hrv = day.figures.find(({ metric }) => metric === "hrv")
    const item = why.getByRole("listitem").filter({ hasText: "Heart rate variability" })
    expect((await item.innerText()).toLowerCase()).toContain(`${hrv?.position} usual`)
    await close()
  })

  test("has what a ring's scores are made of, the lowest first, and a band's sleep need in words", async () => {
    const ring = await ringWearer()
    const { page, open, close } = await visit(browser, service, { member: ring, viewport: PHONE })
    await open("/")
    const why = region(page, "Why")
    await why.getByRole("listitem").first().waitFor()
    expect(await why.getByRole("heading", { level: 3 }).allTextContents()).toEqual([
      "Readiness, from Oura",
      "Sleep score, from Oura",
      "Activity score, from Oura",
    ])
    const day = DayResponseSchema.parse(await (await ring.send("GET", "/api/account/day?rows=30")).json())
    const values = (day.recovery?.records[0]?.contributors ?? []).map(({ value }) => value)
    const shown = await why.getByRole("list").first().getByRole("paragraph").allTextContents()
    expect(shown.map((text) => Number.parseInt(text, 10))).toEqual(values.toSorted((one, other) => one - other))
    await expectAccessible(page)
    await close()
    const band = await visit(browser, service, { member })
    await band.open("/")
    await region(band.page, "Why")
      .getByText(/^Sleep need: \d h \d\d min: \d h \d\d min base/)
      .waitFor()
    await band.close()
  })

  test("says when to go to bed for the person's own need and waking", async () => {
    const { page, open, close } = await visit(browser, service, { member: member, viewport: PHONE })
    await open("/")
    const tonight = region(page, "Tonight")
    const said = await tonight.getByText(/^In bed by /).innerText()
    expect(said).toMatch(/^In bed by \d+:\d[05]( [AP]M)? for \d+ h \d\d min of sleep before \d+:\d[05]( [AP]M)?$/)
    const { rows } = DayResponseSchema.parse(await (await member.send("GET", "/api/account/day?rows=14")).json())
    const needs = rows.flatMap(({ sleep }) => (sleep?.score_state === "scored" ? (sleep.need_hours ?? []) : []))
    const sorted = needs.toSorted((one, other) => one - other)
    const middle =
      ((sorted[Math.floor((needs.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((needs.length - 1) / 2)] ?? 0)) / 2
    const minutes = Math.round((middle * 60) / 5) * 5
    expect(said).toContain(`${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`)
    await tonight.getByText(/days, from WHOOP\.$/).waitFor()
    // By the clock of the person's nights, wherever the browser is: late in the afternoon it is above the night, and before it below.
    const offset = rows.findLast(({ sleep }) => sleep !== null)?.sleep?.end_local.slice(-"+01:00".length)
    for (const [time, isAbove] of [
      ["15:30", false],
      ["16:30", true],
    ] as const) {
      await page.clock.setFixedTime(new Date(`2026-03-11T${time}:00${offset}`))
      await open("/")
      await tonight.waitFor()
      const [above, below] = [await tonight.boundingBox(), await region(page, "The night").boundingBox()]
      expect([time, (above?.y ?? 0) < (below?.y ?? 0)]).toEqual([time, isAbove])
    }
    await open("/?date=2026-03-01")
    await region(page, "The night").waitFor()
    expect(await tonight.count()).toBe(0)
    await close()
  })
})
