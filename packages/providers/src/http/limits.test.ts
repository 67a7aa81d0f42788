import { expect, test } from "vitest"
import { retryAfterSeconds, wholeNumberHeader } from "./retry.ts"

const DATE = "Thu, 19 Nov 2026 06:00:00 GMT"

test.each([
  ["seconds", { "retry-after": "17" }, 17],
  ["a fraction of a second", { "retry-after": "1.5", date: DATE }, 2],
  ["seconds and a fraction", { "retry-after": "12.5", date: DATE }, 13],
  ["a number that a date could begin with", { "retry-after": "-1", date: DATE }, undefined],
  ["a date, compared with the answer's own", { "retry-after": "Thu, 19 Nov 2026 06:01:30 GMT", date: DATE }, 90],
  ["a date that has passed", { "retry-after": "Thu, 19 Nov 2026 05:00:00 GMT", date: DATE }, 0],
  ["a date without a date to compare it with", { "retry-after": "Thu, 19 Nov 2026 06:01:30 GMT" }, undefined],
  ["nothing", {}, undefined],
  ["a word", { "retry-after": "soon", date: DATE }, undefined],
  ["a negative number", { "retry-after": "-5", date: "soon" }, undefined],
  ["more than a day", { "retry-after": "9999999" }, undefined],
  ["a date years away", { "retry-after": "Thu, 19 Nov 2099 06:01:30 GMT", date: DATE }, undefined],
])("reads Retry-After given as %s", (_case, headers, seconds) =>
  expect(retryAfterSeconds(new Headers(headers))).toBe(seconds),
)

test.each([
  ["98", 98],
  ["0", 0],
  [" 7 ", 7],
  ["1.5", undefined],
  ["1e3", undefined],
  ["", undefined],
  ["101", undefined],
])("reads the header %j as %s", (text, number) =>
  expect(wholeNumberHeader(new Headers({ "x-left": text }), "x-left", 100)).toBe(number),
)
