import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "./upload-archive.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:00:00Z") })
})
afterAll(() => service.close())

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

const put = (member: Member, date: string, change: object) => member.send("PUT", `/api/account/journal/${date}`, change)
const day = async (member: Member, date: string) => (await member.send("GET", `/api/account/journal/${date}`)).json()
const exported = async (member: Member) => (await member.send("GET", "/api/account/export")).text()

/** An export of somebody with answers on two dates, and a note. */
async function anExport(): Promise<Buffer> {
  const member = await signedUp()
  await put(member, "2026-11-01", {
    answers: [
      { factor: "alcohol", answer: true, value: 2 },
      { factor: "own:pizza night", title: "Pizza night", answer: false },
    ],
    note: "Two lines\nof a note",
  })
  await put(member, "2026-11-02", { answers: [{ factor: "medication", answer: true }] })
  return Buffer.from(await exported(member))
}

test("an export has the own journal and the notes, and an import restores all of it", async () => {
  const file = await anExport()
  const { own_journal, journal_notes } = JSON.parse(file.toString())
  expect(own_journal).toEqual([
    { date: "2026-11-01", factor: "alcohol", title: "Alcohol", answer: true, value: 2 },
    { date: "2026-11-01", factor: "own:pizza_night", title: "Pizza night", answer: false, value: null },
    { date: "2026-11-02", factor: "medication", title: "Medication", answer: true, value: null },
  ])
  expect(journal_notes).toEqual([{ date: "2026-11-01", note: "Two lines\nof a note" }])
  const other = await signedUp()
  const done = await importedArchive(service.url, other, file)
  expect(done?.report).toMatchObject({ stored: 3, unchanged: 0, ignored: [], by_type: { journal: 3 } })
  const dates = { from_date: "2026-11-01", to_date: "2026-11-02" }
  expect(done?.report).toMatchObject({ ...dates, dates_by_type: { journal: dates } })
  const again = JSON.parse(await exported(other))
  expect([again.own_journal, again.journal_notes]).toEqual([own_journal, journal_notes])
  expect((await importedArchive(service.url, other, file))?.report).toMatchObject({ stored: 0, unchanged: 3 })
})

test("undoing an import removes what only it brought, and nothing that the person entered", async () => {
  const file = await anExport()
  const member = await signedUp()
  await put(member, "2026-11-01", { answers: [{ factor: "alcohol", answer: false }], note: "mine" })
  const first = await importedArchive(service.url, member, file)
  const second = await importedArchive(service.url, member, file)
  const mine = { factor: "alcohol", title: "Alcohol", answer: false, value: null }
  expect(await day(member, "2026-11-01")).toMatchObject({
    answers: [mine, { factor: "own:pizza_night" }],
    note: "mine",
  })
  await put(member, "2026-11-02", { answers: [{ factor: "medication", answer: false }] })
  await member.send("DELETE", `/api/imports/${first?.id}`)
  expect((await day(member, "2026-11-01")).answers).toHaveLength(2)
  await member.send("DELETE", `/api/imports/${second?.id}`)
  expect(await day(member, "2026-11-01")).toMatchObject({ answers: [mine], note: "mine" })
  expect((await day(member, "2026-11-02")).answers).toMatchObject([{ factor: "medication", answer: false }])
})

test("an imported answer that the person removes stays removed", async () => {
  const member = await signedUp()
  await importedArchive(service.url, member, await anExport())
  await put(member, "2026-11-01", { answers: [{ factor: "alcohol", answer: null }], note: null })
  expect(await day(member, "2026-11-01")).toMatchObject({ answers: [{ factor: "own:pizza_night" }], note: null })
})

test("rows that cannot be entries are ignored with a reason, and the rest is stored", async () => {
  const document = JSON.parse((await anExport()).toString())
  document.own_journal.push(
    { date: "2026-11-03", factor: "alcohol", title: "Alcohol", answer: "yes", value: null },
    { date: "2027-11-03", factor: "alcohol", title: "Alcohol", answer: true, value: null },
  )
  document.journal_notes.push({ date: "2026-13-01", note: "x" })
  const member = await signedUp()
  const done = await importedArchive(service.url, member, Buffer.from(JSON.stringify(document)))
  expect(done).toMatchObject({ status: "done", report: { stored: 3 } })
  expect(done?.report.ignored).toHaveLength(3)
})

test("deleting the account deletes the own journal", async () => {
  const member = await signedUp()
  await importedArchive(service.url, member, await anExport())
  await put(member, "2026-11-05", {
    answers: [{ factor: "alcohol", answer: true }],
    note: "a note of a deleted account",
  })
  expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  const { rows } = await service.store.pool.query(
    `select (select count(*)::int from restwell.own_note where note = 'a note of a deleted account') as notes,
      (select count(*)::int from restwell.own_answer where date = '2026-11-05') as answers`,
  )
  expect(rows).toEqual([{ notes: 0, answers: 0 }])
})
