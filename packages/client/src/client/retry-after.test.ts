import fc from "fast-check"
import { expect, it } from "vitest"
import { readRetryAfterSeconds } from "./retry-after.ts"

it("reads seconds", () => {
  expect(readRetryAfterSeconds(new Headers({ "retry-after": "120" }))).toBe(120)
})

it("measures a date against the answer's own date, whatever this machine's clock says", () => {
  const headers = { "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT", date: "Fri, 31 Dec 1999 23:59:19 GMT" }
  expect(readRetryAfterSeconds(new Headers(headers))).toBe(40)
})

it("asks for no wait when the date has passed", () => {
  const headers = { "retry-after": "Fri, 31 Dec 1999 23:59:00 GMT", date: "Fri, 31 Dec 1999 23:59:19 GMT" }
  expect(readRetryAfterSeconds(new Headers(headers))).toBe(0)
})

it.each(["", "-1", "1.5", "1e3", "soon", "2026-11-20T00:00:00Z", "Fri, 99 Foo 1999 23:59:00 GMT"])(
  "takes %j for nothing",
  (text) => {
    const headers = new Headers({ "retry-after": text, date: "Fri, 31 Dec 1999 23:59:19 GMT" })
    expect(readRetryAfterSeconds(headers)).toBeNull()
  },
)

it("takes a date without one to measure against for nothing", () => {
  expect(readRetryAfterSeconds(new Headers({ "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT" }))).toBeNull()
})

it("gives a number of seconds from 0 or null, whatever the header holds", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]*$/), (text) => {
      const seconds = readRetryAfterSeconds(new Headers({ "retry-after": text }))
      return seconds === null || seconds >= 0
    }),
  )
})
