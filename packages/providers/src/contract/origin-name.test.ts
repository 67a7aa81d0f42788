import fc from "fast-check"
import { expect, test } from "vitest"
import { isOfStrava } from "./records.ts"

/** Zero-width, joining, bidirectional and formatting characters, selectors of variants, fillers, accents. */
const UNSEEN = fc.constantFrom(
  ..."\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2064\u2066\u2069\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\u0000\u0301",
  "\u{e0020}",
  "\u{e0101}",
)
const FORMS = ["strava", "STRAVA", "ｓｔｒａｖａ", "𝐬𝐭𝐫𝐚𝐯𝐚", "ⓈⓉⓇⒶⓋⒶ", "ˢᵗʳᵃᵛᵃ"].map((word) => [...word])

test("Strava's name is known in every form of its letters, with anything between them that nobody sees", () => {
  const spelled = fc.tuple(
    ...[0, 1, 2, 3, 4, 5].map((index) =>
      fc.tuple(fc.constantFrom(...FORMS.map((form) => form[index] ?? "")), fc.array(UNSEEN, { maxLength: 3 })),
    ),
  )
  fc.assert(
    fc.property(spelled, fc.string({ maxLength: 5 }), (letters, beside) => {
      const name = letters.map(([letter, unseen]) => letter + unseen.join("")).join("")
      expect(isOfStrava(beside + name)).toBe(true)
      expect(isOfStrava(`${name} ${beside}`)).toBe(true)
    }),
  )
})

test.each(["", "Apple Watch", "Ada's Travail", "Strav", "Stra va"])("%j is not of Strava", (name) => {
  expect(isOfStrava(name)).toBe(false)
})
