// A person with archives alone: nothing of today is late, and the page says on which date the data end.
import { addDays } from "@restwell/client/calendar-dates"
import { whoopArchive } from "@restwell/testing/archive"
import { expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"

/** A morning in Berlin. */
const TODAY = "2026-03-11"
const NEWEST = addDays(TODAY, -3)

let service: TestService
let member: Member
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 60, now: new Date(`${TODAY}T08:30:00Z`) })
  const person = service.simulator.people.add({ email: "ida@vendor.example" })
  member = new Member(service)
  await member.signUp()
  await importedArchive(service.url, member, whoopArchive(service.simulator.records(person.email)))
  const { pool } = service.store
  await pool.query("delete from restwell.record where date > $1", [NEWEST])
  await pool.query("update restwell.person set data_version = data_version + 1")
}, 240_000)
afterAll(() => service.close())

test("Today says on which date an archive ends, leads there, and awaits nothing", async () => {
  const { page, faults, open, close } = await visit(browser, service, { member })
  await open("/")
  await page.getByText("Your data end on Mar 8, 2026").waitFor()
  const text = await page.getByRole("main").innerText()
  expect(text).not.toMatch(/not yet|not here yet|not scored yet|usually comes|Not available yet/i)
  await expectGoodInEveryAppearance(page)
  await page.getByRole("link", { name: "Show that day" }).click()
  await page.getByRole("heading", { level: 1, name: "Sunday, March 8" }).waitFor()
  expect(await page.getByText("Your data end on").count()).toBe(0)
  await open("/week")
  await page
    .getByText(/Wednesday: no data/)
    .first()
    .waitFor()
  expect(await page.getByText("not here yet").count()).toBe(0)
  expect(faults).toEqual([])
  await close()
})
