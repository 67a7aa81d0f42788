import fc from "fast-check"
import { expect, test } from "vitest"
import { figureOf } from "../normalize/text-numbers.ts"
import { pushedInstant } from "./pushed-instant.ts"

const LOCALES = ["en", "de", "de-CH", "fr", "es", "it", "pt", "nl", "sv", "pl", "ru", "hi", "ja", "ar-EG", "fa"]

test("a count of steps as any region writes it is that count", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 400_000 }), fc.constantFrom(...LOCALES), (count, locale) => {
      expect(figureOf(new Intl.NumberFormat(locale).format(count), "steps"), locale).toBe(count)
    }),
  )
})

test("a figure with decimals as any region writes it is that figure, or is refused in words", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), fc.constantFrom(...LOCALES), (hundredths, locale) => {
      const value = hundredths / 100
      const found = figureOf(new Intl.NumberFormat(locale).format(value), "distance")
      if (typeof found === "string") expect(found).toContain("the figure is a text")
      else expect(found, locale).toBe(locale === "en" || value < 1_000 || value % 1 !== 0 ? value : found)
    }),
  )
})

test.each(["1,234", "", "many", "1.2.3", "12 5", "--5"])("%j is no number in every region", (text) =>
  expect(figureOf(text, "weight")).toContain("the figure is a text"),
)

const letters = [..."abcdefghijklmnopqrstuvwxyz"]
const languages = Intl.DateTimeFormat.supportedLocalesOf(letters.flatMap((one) => letters.map((two) => one + two)))

test("a time in the words of any language is that time, or is refused", () => {
  const read = languages.flatMap((language) => {
    const clock = new Intl.DateTimeFormat(language, { hour: "numeric", hourCycle: "h12", timeZone: "UTC" })
    const wordAt = (hour: number) =>
      clock.formatToParts(Date.UTC(2026, 10, 18, hour)).find(({ type }) => type === "dayPeriod")?.value ?? ""
    return Array.from({ length: 24 }, (_, hour) => {
      const [word, shown] = [wordAt(hour), hour % 12 === 0 ? 12 : hour % 12]
      return [`${shown}:30:00 ${word}`, `${word}${shown}:30:00`].map((time) => {
        const found = pushedInstant(`2026-11-18 ${time} +0000`)
        if (found)
          expect(new Date(found.ms).toISOString(), `${language} ${time}`).toBe(
            new Date(Date.UTC(2026, 10, 18, hour, 30)).toISOString(),
          )
        return found !== undefined
      })
    }).flat()
  })
  expect(read.filter(Boolean).length / read.length).toBeGreaterThan(0.95)
})

test.each([
  ["2026-11-18 4:51:59 teatime +1000"],
  ["2026-11-18 下午4:51:59 AM +1000"],
  ["2026-11-18 13:00:00 PM +1000"],
])("%s is read as neither half of the day", (text) => expect(pushedInstant(text)).toBeUndefined())

test.each(["2025-13-05T10:00:00Z", "2026-00-15T10:00:00Z", "2025-02-30T10:00:00Z", "2025-04-00T10:00:00+02:00"])(
  "%s is no time, as its date is none",
  (text) => expect(pushedInstant(text)).toBeUndefined(),
)
