import fc from "fast-check"
import { expect, test } from "vitest"
import { csvOf } from "./columns.ts"

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
