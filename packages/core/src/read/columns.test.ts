import {
  CycleRecordSchema,
  JournalRecordSchema,
  RecoveryRecordSchema,
  SleepRecordSchema,
  WorkoutRecordSchema,
} from "@restwell/client"
import fc from "fast-check"
import { expect, test } from "vitest"
import { csvOf, csvRows, fieldsOf, LIST_TYPES, listingOf, partOf } from "./columns.ts"

const cellOf = (value: string): string =>
  csvOf([{ name: "a" }], [{ a: value }])
    .split("\r\n")
    .slice(1)
    .join("\r\n")

/** Signs that begin a formula, also in full width and small, and what stands unseen before them. */
const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫−"]
const BEFORE = [..." \u00a0\u3000\u200b\u200e\u202e\u2066\ufeff\u00ad\u2060\ufe0f\u0301\u0001\t\r\n"]

test("no cell begins a formula, whatever stands unseen before its sign", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...BEFORE), { maxLength: 4 }),
      fc.constantFrom(...SIGNS),
      fc.string(),
      (before, sign, rest) => {
        expect(cellOf(before.join("") + sign + rest)).toMatch(/^"?'/)
      },
    ),
  )
})

test.each(["running", "a=b", "Ada's run", "日本", "é", "1", "", "𐐀"])("%j is written as it is", (text) => {
  expect(cellOf(text)).toBe(`${text}\r\n`)
})

test.each(["-", "−5", "\t", "\nx"])("%j is quoted", (text) => {
  expect(cellOf(text)).toMatch(/^"?'/)
})

const SCHEMAS = {
  sleep: SleepRecordSchema,
  recovery: RecoveryRecordSchema,
  workout: WorkoutRecordSchema,
  cycle: CycleRecordSchema,
  journal: JournalRecordSchema,
}

test.each(LIST_TYPES)("each published field of %s can be named", (type) => {
  for (const field of Object.keys(SCHEMAS[type].shape)) {
    const { columns = [] } = listingOf({ type, fields: [field] }) ?? {}
    expect(new Set(columns.map(({ path }) => path[0])), field).toEqual(new Set([field]))
  }
})

test("a table has what others know and a whole night only where they are named", () => {
  const names = (fields?: string[]) =>
    listingOf({ type: "sleep", format: "csv", fields })?.columns.map(({ name }) => name)
  expect(names()).toEqual(fieldsOf("sleep").map(({ name }) => name))
  expect(names()?.filter((name) => /^(?:night|others|chosen$)/.test(name))).toEqual([])
  expect(names(["night_score", "others"])).toEqual([
    "night_score_performance",
    "night_score_efficiency",
    "night_score_consistency",
    "others",
  ])
})

test("a field inside of a nested one is where it is in the record, in JSON and CSV", () => {
  const others = [{ field: "need_hours", source: "whoop" }]
  const night = { date: "2026-11-19", score: { performance: 92, efficiency: null }, contributors: [] }
  const fields = ["others", "night_score", "night_date"]
  const { columns = [] } = listingOf({ type: "sleep", fields }) ?? {}
  const record = { id: "a", night, others }
  expect(partOf(record, columns)).toEqual({
    others,
    night: { score: { performance: 92, efficiency: null, consistency: undefined }, date: "2026-11-19" },
  })
  expect(csvRows(columns, [record])).toBe(`"[{""field"":""need_hours"",""source"":""whoop""}]",92,,,2026-11-19\r\n`)
  // Most sleeps are a whole night, and a person with one source has no others.
  expect(JSON.parse(JSON.stringify(partOf({ id: "a" }, columns)))).toEqual({})
  expect(csvRows(columns, [{ id: "a" }])).toBe(",,,,\r\n")
})
