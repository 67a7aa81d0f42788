import { expect, test } from "vitest"
import { readersLocale } from "./locale.ts"

const NOVEMBER = new Date("2026-11-27T12:00:00Z")
const written = (language: string) => {
  const locale = readersLocale(language)
  const date = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" }).format(NOVEMBER)
  return [date, new Intl.NumberFormat(locale).format(1234.5)]
}

test.each([
  ["en-US", "Nov 27", "1,234.5"],
  ["en-US@posix", "Nov 27", "1,234.5"],
  ["en-GB", "27 Nov", "1,234.5"],
  ["de-DE", "27. Nov.", "1.234,5"],
  ["ar-EG", "27 Nov", "1,234.5"],
  ["no name", "27 Nov", "1,234.5"],
])("a reader of %s reads %s and %s", (language, date, number) => {
  expect(written(language)).toEqual([date, number])
})
