import { addDays } from "@restwell/client/calendar-dates"
import { whoopArchive } from "@restwell/testing/archive"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
let member: Member
let key: string
let today: string
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:00:00Z"), days: 60 })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  ;({ member, key } = await Member.connected(service, person))
  await importedArchive(service.url, member, whoopArchive(service.simulator.records("ada@vendor.example")))
  today = (await (await readHealth(service.url, key, "?days=1")).json()).period.end_date
})
afterAll(() => service.close())

const DaySchema = z.object({
  date: z.string(),
  answers: z.array(
    z.object({ factor: z.string(), title: z.string(), answer: z.boolean(), value: z.number().nullable() }),
  ),
  note: z.string().nullable(),
  vendor_answers: z.array(z.object({ factor: z.string(), answer: z.boolean().nullable(), source: z.string() })),
})
const RecordsSchema = z.object({
  records: z.array(
    z.object({
      date: z.string(),
      factor: z.string(),
      question: z.string(),
      answer: z.boolean().nullable(),
      value: z.number().nullable(),
      source: z.string(),
      chosen: z.boolean().optional(),
    }),
  ),
  source: z.object({ provider: z.string() }),
  sources: z.array(z.object({ provider: z.string() })),
})
const FactorsSchema = z.object({
  factors: z.array(
    z.object({ factor: z.string(), title: z.string(), is_own: z.boolean(), last_used: z.string().nullable() }),
  ),
})

const put = (date: string, change: object, who = member) => who.send("PUT", `/api/account/journal/${date}`, change)
const day = async (date: string, who = member) =>
  DaySchema.parse(await (await who.send("GET", `/api/account/journal/${date}`)).json())
const journal = (search: string, reader = key) =>
  fetch(`${service.url}/api/v1/journal?${search}`, { headers: { authorization: `Bearer ${reader}` } })
const records = async (search: string, reader = key) =>
  RecordsSchema.parse(await (await journal(search, reader)).json())
const factors = async (who = member) =>
  FactorsSchema.parse(await (await who.send("GET", "/api/account/journal/factors")).json()).factors

/** A date on which the archive answered `alcohol`, at least two days ago. */
async function answeredByVendor(): Promise<{ date: string; answer: boolean }> {
  const found = (await records("days=30&source=whoop")).records.find(
    ({ factor, date, answer }) => factor === "alcohol" && answer !== null && date < addDays(today, -1),
  )
  if (found?.answer == null) throw new Error("the archive has no answer")
  return { date: found.date, answer: found.answer }
}

test("what is entered for a date is read again, and later changes leave the rest", async () => {
  const date = addDays(today, -3)
  const entered = await put(date, {
    answers: [
      { factor: "caffeine", answer: true, value: 3 },
      { factor: "own:Pizza  night!", title: " Pizza\n night ", answer: false },
    ],
    note: "Late flight\r\nfrom Oslo\u0007 ",
  })
  expect(entered.status).toBe(200)
  const stored = DaySchema.parse(await entered.json())
  expect(stored).toMatchObject({
    date,
    answers: [
      { factor: "caffeine", title: "Caffeine", answer: true, value: 3 },
      { factor: "own:pizza_night", title: "Pizza night", answer: false, value: null },
    ],
    note: "Late flight\nfrom Oslo",
  })
  expect(await day(date)).toEqual(stored)
  await put(date, { answers: [{ factor: "own:pizza_night", answer: true }] })
  expect((await day(date)).answers).toEqual([
    expect.objectContaining({ factor: "caffeine", value: 3 }),
    expect.objectContaining({ factor: "own:pizza_night", title: "Pizza night", answer: true }),
  ])
  await put(date, { answers: [{ factor: "caffeine", answer: null }], note: null })
  expect(await day(date)).toMatchObject({ answers: [{ factor: "own:pizza_night" }], note: null })
})

test("an own answer wins over the vendor's, and the vendor's is there again without it", async () => {
  const { date, answer } = await answeredByVendor()
  const range = `start_date=${date}&end_date=${date}`
  const before = await records(range)
  await put(date, { answers: [{ factor: "alcohol", answer: !answer }] })
  const own = { date, factor: "alcohol", question: "Alcohol", answer: !answer, value: null, source: "restwell" }
  const ofAlcohol = async (search: string) =>
    (await records(`${range}${search}`)).records.filter(({ factor }) => factor === "alcohol")
  expect(await ofAlcohol("")).toEqual([own])
  expect(await ofAlcohol("&source=restwell")).toEqual([own])
  expect(await ofAlcohol("&source=whoop")).toMatchObject([{ answer, source: "whoop" }])
  expect(await ofAlcohol("&source=all")).toEqual(
    expect.arrayContaining([
      { ...own, chosen: true },
      expect.objectContaining({ answer, source: "whoop", chosen: false }),
    ]),
  )
  expect((await records(range)).sources.map(({ provider }) => provider)).toEqual(["whoop", "restwell"])
  expect((await day(date)).vendor_answers).toContainEqual({ factor: "alcohol", answer, source: "whoop" })
  const { days } = await (await member.send("GET", "/api/account/journal?days=60")).json()
  expect(days.find((one: { date: string }) => one.date === date)[answer ? "no" : "yes"]).toContain("alcohol")
  await put(date, { answers: [{ factor: "alcohol", answer: null }] })
  expect((await records(range)).records).toEqual(before.records)
})

test("a cached answer is replaced at once", async () => {
  const date = addDays(today, -5)
  const first = await journal("days=7")
  const etag = first.headers.get("etag") ?? ""
  await put(date, { answers: [{ factor: "sauna", answer: true }] })
  const again = await fetch(`${service.url}/api/v1/journal?days=7`, {
    headers: { authorization: `Bearer ${key}`, "if-none-match": etag },
  })
  expect(again.status).toBe(200)
  expect(RecordsSchema.parse(await again.json()).records).toContainEqual(
    expect.objectContaining({ date, factor: "sauna", answer: true, source: "restwell" }),
  )
})

test("own answers are part of relations, trends and the catalogue", async () => {
  for (let back = 1; back <= 40; back += 1)
    await put(addDays(today, -back), {
      answers: [{ factor: "own:cold plunge", title: "Cold plunge", answer: back % 3 === 0 }],
    })
  const read = async (path: string) =>
    (await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  const relation = await read("relate?outcome=hrv&factor=journal:own:cold_plunge&days=60")
  expect(relation).toMatchObject({ factor: "journal:own:cold_plunge", yes: { n: 13 } })
  expect(await read("trend?metric=journal:own:cold_plunge&days=45")).toMatchObject({
    n: 40,
    sum: 13,
    source: { provider: "restwell" },
  })
  const { metrics } = await read("metrics")
  expect(metrics).toContainEqual(
    expect.objectContaining({ id: "journal:own:cold_plunge", title: "Cold plunge", n: 40, sources: ["restwell"] }),
  )
  const all = await read("relate?outcome=hrv&days=60")
  expect(all.relations.map(({ factor }: { factor: string }) => factor)).toContain("journal:own:cold_plunge")
})

test("topics in use come first, then common ones", async () => {
  const { member: other } = await signedUp()
  const unused = await factors(other)
  expect(unused[0]).toEqual({ factor: "alcohol", title: "Alcohol", is_own: false, last_used: null })
  await put("2026-01-02", { answers: [{ factor: "own:gaming", title: "Gaming", answer: true }] }, other)
  await put("2026-01-03", { answers: [{ factor: "late_meal", answer: false }] }, other)
  const used = await factors(other)
  expect(used.slice(0, 2)).toEqual([
    { factor: "late_meal", title: "Late meal", is_own: false, last_used: "2026-01-03" },
    { factor: "own:gaming", title: "Gaming", is_own: true, last_used: "2026-01-02" },
  ])
  expect(used.length).toBe(unused.length + 1)
  await put("2026-01-04", { answers: [{ factor: "own:gaming", title: "Video games", answer: true }] }, other)
  expect((await day("2026-01-02", other)).answers[0]?.title).toBe("Video games")
})

async function signedUp(): Promise<{ member: Member; key: string }> {
  const other = new Member(service)
  await other.signUp()
  return { member: other, key: await other.newKey() }
}

test("a person without a vendor reads what they entered, and nothing of others", async () => {
  const other = await signedUp()
  expect((await journal("days=7", other.key)).status).toBe(404)
  await put("2026-01-02", { answers: [{ factor: "alcohol", answer: true }], note: "quiet" }, other.member)
  const answer = await journal("start_date=2026-01-01&end_date=2026-01-31", other.key)
  expect(answer.status).toBe(200)
  const body = RecordsSchema.parse(await answer.json())
  expect(body.records).toMatchObject([{ date: "2026-01-02", factor: "alcohol", source: "restwell" }])
  expect([body.source.provider, body.sources.length]).toEqual(["restwell", 1])
  expect((await journal("days=7&source=whoop", other.key)).status).toBe(404)
  expect((await readHealth(service.url, other.key)).status).toBe(404)
  const head = await fetch(`${service.url}/api/v1/journal?days=7`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${other.key}` },
  })
  expect(head.status).toBe(200)
  expect((await day("2026-01-02")).answers).toEqual([])
})

test("the note is in no answer of the API", async () => {
  const date = addDays(today, -4)
  await put(date, { answers: [{ factor: "sick", answer: true }], note: "a very private thought" })
  for (const search of ["", "&source=all", "&source=restwell"])
    expect(await (await journal(`days=30${search}`)).text()).not.toContain("private thought")
  expect((await day(date)).note).toBe("a very private thought")
})

describe("is refused", () => {
  test.each([
    ["a date that is no date", "2026-02-30", {}, "date", /not a day of the calendar/],
    ["a date in another form", "20260101", {}, "date", /YYYY-MM-DD/],
    ["a date in the future", "2099-01-01", {}, "date", /in the future, today is 20\d\d-/],
    [
      "a topic in no list",
      "2026-01-01",
      { answers: [{ factor: "alcoholl", answer: true }] },
      "answers",
      /did you mean alcohol\?/,
    ],
    [
      "a new topic without a title",
      "2026-01-01",
      { answers: [{ factor: "own:chess", answer: true }] },
      "answers",
      /title is needed/,
    ],
    [
      "a topic without words",
      "2026-01-01",
      { answers: [{ factor: "own:!", title: "!", answer: true }] },
      "answers",
      /followed by words/,
    ],
    [
      "an answer that is no answer",
      "2026-01-01",
      { answers: [{ factor: "alcohol", answer: "yes" }] },
      "answers.0.answer",
      /boolean/,
    ],
    [
      "a topic twice",
      "2026-01-01",
      {
        answers: [
          { factor: "alcohol", answer: true },
          { factor: "alcohol", answer: false },
        ],
      },
      "answers",
      /twice/,
    ],
    [
      "one topic in two spellings",
      "2026-01-01",
      {
        answers: [
          { factor: "own:a b", title: "A", answer: true },
          { factor: "own:A-B", title: "A", answer: false },
        ],
      },
      "answers",
      /twice/,
    ],
    ["a note that is too long", "2026-01-01", { note: "a".repeat(5_001) }, "note", /at most 5000/],
    ["an unknown key", "2026-01-01", { answer: true }, "body", /Unrecognized key/],
  ] as const)("%s", async (_what, date, change, field, message) => {
    const response = await put(date, change)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: "invalid_request",
      field,
      message: expect.stringMatching(message),
    })
  })

  test("a change from another site, and one without a session", async () => {
    const foreign = await member.send(
      "PUT",
      `/api/account/journal/${today}`,
      { note: "x" },
      { origin: "https://evil.example" },
    )
    expect(foreign.status).toBe(403)
    for (const method of ["GET", "PUT"])
      expect((await new Member(service).send(method, `/api/account/journal/${today}`)).status).toBe(401)
    expect((await new Member(service).send("GET", "/api/account/journal/factors")).status).toBe(401)
  })

  test("the 101st topic of a person's own", async () => {
    const { member: other } = await signedUp()
    const topics = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => ({
        factor: `own:topic ${from + index}`,
        title: `Topic ${from + index}`,
        answer: true,
      }))
    expect((await put("2026-01-01", { answers: topics(0, 100) }, other)).status).toBe(200)
    const refused = await put("2026-01-02", { answers: topics(100, 101) }, other)
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: expect.stringContaining("100 topics") },
    ])
    expect((await day("2026-01-02", other)).answers).toEqual([])
  })
})
