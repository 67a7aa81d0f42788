// An archive and a phone have the counts of one time in different groupings: one of them counts, whichever came first, and no other is lost.
import { appleArchive, appleRecord } from "@restwell/simulator"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"
import { countingPerson } from "./counted-days.ts"
import { pushed } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const MIDNIGHT = Date.parse("2026-11-17T00:00:00Z")
const MINUTE_MS = 60_000
const TEN = 600

/** Steps of a watch. Minutes count from midnight. */
interface Row {
  readonly at: number
  readonly minutes: number
  readonly steps: number
}
const row = (at: number, minutes: number, steps: number): Row => ({ at, minutes, steps })
const timesOf = ({ at, minutes }: Row) => ({
  startMs: MIDNIGHT + at * MINUTE_MS,
  endMs: MIDNIGHT + (at + minutes) * MINUTE_MS,
})

const archiveOf = (rows: readonly Row[]): Buffer =>
  appleArchive(
    rows.map((each) =>
      appleRecord("StepCount", timesOf(each), { unit: "count", value: `${each.steps}`, sourceName: "Watch" }),
    ),
  )

/** As Health Auto Export sends them. */
function pushOf(rows: readonly Row[]): object {
  const text = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} +0000`
  const data = rows.map((each) => {
    const { startMs, endMs } = timesOf(each)
    return { startDate: text(startMs), endDate: text(endMs), qty: each.steps, source: "Watch" }
  })
  return { data: { metrics: [{ name: "step_count", units: "count", data }] } }
}

/** The sums of dates after an archive and a push, in both orders. The days' are those of the series. */
async function sumsInBothOrders(archived: readonly Row[], sent: readonly Row[]) {
  const sums = []
  for (const isArchiveFirst of [true, false]) {
    const person = await countingPerson(service, "UTC")
    const upload = async () => {
      const done = await importedArchive(service.url, person.member, archiveOf(archived))
      expect([done?.status, done?.error]).toEqual(["done", null])
    }
    const push = () => pushed(service, pushOf(sent), { token: person.token, path: "/api/ingest/health-auto-export" })
    for (const bring of isArchiveFirst ? [upload, push] : [push, upload]) await bring()
    sums.push(await person.sums())
  }
  return sums
}

const MINUTES = [5, 0, 40, 15].map((steps, index) => row(TEN + index, 1, steps))

test.each<[string, readonly Row[], readonly Row[], number]>([
  ["an archive's hour beside its minutes of a push", [row(TEN, 60, 60)], MINUTES, 60],
  ["an hour of which the push has the first minute alone", [row(TEN, 60, 300)], [row(TEN, 1, 20)], 300],
  ["an hour of which the archive has the first minute alone", [row(TEN, 1, 20)], [row(TEN, 60, 300)], 300],
  ["minutes that counted more than their hour", [row(TEN, 60, 15)], MINUTES, 60],
  ["a day beside its first hour", [row(0, 24 * 60, 5_000)], [row(0, 60, 300)], 5_000],
  ["a moment that counted more than its minute", [row(TEN, 0, 35)], [row(TEN, 1, 20)], 35],
  ["an hour that is in both", [row(TEN, 60, 300)], [row(TEN, 60, 300), row(TEN, 1, 20)], 300],
])("%s", async (_what, archived, sent, sum) => {
  const expected = { "2026-11-17": sum }
  expect(await sumsInBothOrders(archived, sent)).toEqual([expected, expected])
})

/** Few places, so that rows meet. */
const anyRow = fc.record({
  at: fc.constantFrom(0, TEN, TEN + 1, TEN + 30, TEN + 60),
  minutes: fc.constantFrom(1, 2, 30, 60, 24 * 60),
  steps: fc.integer({ min: 1, max: 400 }),
  from: fc.constantFrom("archive", "push", "both"),
})

test("it does not matter which rows an archive has and which ones a push: their sum is that of one file with all of them", async () => {
  const rows = fc.uniqueArray(anyRow, { selector: ({ at, minutes }) => `${at}/${minutes}`, minLength: 3, maxLength: 9 })
  const divided = rows
    .map((all) => ({
      all,
      archived: all.filter(({ from }) => from !== "push"),
      sent: all.filter(({ from }) => from !== "archive"),
    }))
    .filter(({ archived, sent }) => archived.length > 0 && sent.length > 0)
  await fc.assert(
    fc.asyncProperty(divided, async ({ all, archived, sent }) => {
      const person = await countingPerson(service, "UTC")
      await importedArchive(service.url, person.member, archiveOf(all))
      const sums = await person.sums()
      expect(await sumsInBothOrders(archived, sent)).toEqual([sums, sums])
    }),
    { numRuns: 2, endOnFailure: true },
  )
}, 120_000)
