// A person with archives alone: nothing of today is late, and the page says on which date the data end. Beside a connection it may come.
import { addDays } from "@restwell/client/calendar-dates"
import { whoopArchive } from "@restwell/testing/archive"
import { expectGoodInEveryAppearance, useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { addArchiveBeside, deleteConnected } from "../imports/archive-beside.ts"
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

/** A person whose connected device has an archive of another one beside it. */
async function besideArchive(name: string, to: string, deleted: string): Promise<Member> {
  const person = service.simulator.people.add({ email: `${name}@vendor.example` })
  const { member: owner } = await Member.connected(service, person)
  await addArchiveBeside(service, owner, to)
  await deleteConnected(service, owner, deleted)
  return owner
}

async function todayOf(owner: Member, awaited: string): Promise<string> {
  const { page, faults, open, close } = await visit(browser, service, { member: owner })
  await open("/")
  await page.getByText(awaited).first().waitFor()
  const text = await page.getByRole("main").innerText()
  expect(faults).toEqual([])
  await close()
  return text
}

const NOT_YET = "Your night is not here yet."
const ENDS = /end on|No connection delivers|Missing, for the reason above|is missing/

test.each([
  ["new", NEWEST, "true"],
  ["first-night", NEWEST, `date <> '${addDays(TODAY, -1)}'`],
])("beside an archive that ended, the night of a new connection is still to come: %s", async (name, to, deleted) => {
  expect(await todayOf(await besideArchive(name, to, deleted), NOT_YET)).not.toMatch(ENDS)
})

test("an archive that goes before a connection in the person's order ends nothing", async () => {
  const owner = await besideArchive("order", addDays(TODAY, -1), `date = '${TODAY}'`)
  const order = ["polar", "whoop"]
  expect((await owner.send("PUT", "/api/account/sources", { order: { sleep: order, recovery: order } })).ok).toBe(true)
  expect(await todayOf(owner, NOT_YET)).not.toMatch(ENDS)
})

test("nights of an archive end where the connected device has days and never a night", async () => {
  const owner = await besideArchive("steps", NEWEST, "kind in ('sleep', 'recovery')")
  const text = await todayOf(owner, "Your nights end on Mar 8, 2026")
  expect(text).toContain("Your night is missing.")
  expect(text).not.toMatch(/here yet|usually comes|usually by|No sleep has been recorded/)
})

test("a connection whose consent has ended says that it has to be renewed, and nothing is late", async () => {
  const person = service.simulator.people.add({ email: "refused@vendor.example" })
  const { member: owner } = await Member.connected(service, person)
  await deleteConnected(service, owner, `date = '${TODAY}'`)
  await service.store.pool.query(
    `update restwell.connection set status = 'reauthorization_required'
     where user_id = (select id from restwell."user" where email = $1)`,
    [owner.email],
  )
  const text = await todayOf(owner, "Reconnect WHOOP")
  expect(text).toContain("Your night is missing.")
  expect(text).not.toMatch(/here yet|usually comes|usually by|not yet|Not available yet|No connection delivers/i)
})

test("recoveries of an archive end where the connected device has nights and never a recovery", async () => {
  const owner = await besideArchive("mat", addDays(TODAY, -6), "kind = 'recovery'")
  const text = await todayOf(owner, "Your recoveries end on Mar 5, 2026")
  expect(text).not.toMatch(/Your nights end|usually comes|usually by/)
})
