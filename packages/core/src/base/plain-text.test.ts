import fc from "fast-check"
import { expect, test } from "vitest"
import { plainText } from "./plain-text.ts"

test.each([
  ["running", "running"],
  ["  two  spaces ", "two spaces"],
  ["line\nbreak", "line break"],
  ["right\u202Eleft", "right left"],
  ["zero\u200Bwidth", "zero width"],
  ["\ud800", "\ufffd"],
  ["Zoë", "Zoë"],
  ["Zoe\u0308", "Zoë"],
  ["\u0000", ""],
  ["😀😀😀😀😀😀😀😀😀😀😀😀", "😀😀😀😀😀😀😀😀😀😀"],
  ["abcdefghijkl", "abcdefghij"],
])("%j is %j", (text, plain) => {
  expect(plainText(text, 10)).toBe(plain)
})

test("whatever comes in, nothing unseen comes out, it is not longer than the limit, and doing it again changes nothing", () => {
  const any = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string())
  fc.assert(
    fc.property(any, fc.integer({ min: 1, max: 50 }), (text, longest) => {
      const plain = plainText(text, longest)
      expect(plain).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]| {2}/u)
      expect([...plain].length).toBeLessThanOrEqual(longest)
      expect(plainText(plain.trim(), longest)).toBe(plain.trim())
    }),
    { numRuns: 1000 },
  )
})
