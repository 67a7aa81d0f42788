import { expect, test } from "vitest"
import { browserPreferences } from "./preferences.ts"

test.each([
  ["en-US", "imperial", "12h", "sunday"],
  ["en-US@posix", "imperial", "12h", "sunday"],
  ["de-DE", "metric", "24h", "monday"],
  ["en-GB", "metric", "24h", "monday"],
  ["ar-EG", "metric", "12h", "saturday"],
  ["not a language", "metric", "24h", "monday"],
] as const)("a browser in %s prefers %s, %s and %s", (language, units, clock, first_weekday) => {
  expect(browserPreferences(language)).toEqual({ units, clock, first_weekday })
})
