import fc from "fast-check"
import { expect, test } from "vitest"
import type { Json } from "../contract/records.ts"
import { isStorableText } from "../contract/storable.ts"
import { toStorableJson, toStorableText, unstorablePath } from "./storable-text.ts"

test.each(["", "Ada", "Zoë 🏃", "\u0001", "\u{10FFFF}", "\uFFFD"])("%j can be stored", (text) => {
  expect(isStorableText(text)).toBe(true)
  expect(toStorableText(text)).toBe(text)
})

test.each([
  ["\0", "\uFFFD"],
  ["a\0b", "a\uFFFDb"],
  ["\uD800", "\uFFFD"],
  ["a\uDC00b\0", "a\uFFFDb\uFFFD"],
])("%j is stored as %j", (text, stored) => {
  expect(isStorableText(text)).toBe(false)
  expect(toStorableText(text)).toBe(stored)
})

test("names the field whose text cannot be stored", () => {
  expect(unstorablePath({ id: "1", score: { notes: ["fine", "\0"] } })).toBe("score.notes.1")
  expect(unstorablePath({ "\uD800": 1 })).toBe("\uFFFD")
  expect(unstorablePath({ id: "1", score: { notes: ["fine"] } })).toBeUndefined()
})

test("refuses and cuts what is nested too deeply", () => {
  const deep = nested(10_000)
  expect(unstorablePath(deep)).toMatch(/^0\.0/)
  expect(JSON.stringify(toStorableJson(deep)).length).toBeLessThan(200)
})

test("returns storable JSON for every value, and storable values unchanged", () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: "binary" }), (text) => {
      const value: Json = JSON.parse(text)
      const stored = toStorableJson(value)
      expect(unstorablePath(stored)).toBeUndefined()
      if (unstorablePath(value) === undefined) expect(stored).toEqual(value)
    }),
  )
})

const nested = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((inner) => [inner], 1)
