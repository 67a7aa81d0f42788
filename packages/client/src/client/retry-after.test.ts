import fc from "fast-check"
import { expect, it } from "vitest"
import { readRetryAfterSeconds } from "./settings.ts"

it("reads seconds", () => {
  expect(readRetryAfterSeconds(new Headers({ "retry-after": "120" }))).toBe(120)
})

it("measures a date against the date of the response, not the local clock", () => {
  const headers = { "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT", date: "Fri, 31 Dec 1999 23:59:19 GMT" }
  expect(readRetryAfterSeconds(new Headers(headers))).toBe(40)
})

it("returns 0 when the date has passed", () => {
  const headers = { "retry-after": "Fri, 31 Dec 1999 23:59:00 GMT", date: "Fri, 31 Dec 1999 23:59:19 GMT" }
  expect(readRetryAfterSeconds(new Headers(headers))).toBe(0)
})

it.each(["", "-1", "1.5", "1e3", "soon", "2026-11-20T00:00:00Z", "Fri, 99 Foo 1999 23:59:00 GMT"])(
  "ignores %j",
  (text) => {
    const headers = new Headers({ "retry-after": text, date: "Fri, 31 Dec 1999 23:59:19 GMT" })
    expect(readRetryAfterSeconds(headers)).toBeNull()
  },
)

it("ignores a date when the response has no date of its own", () => {
  expect(readRetryAfterSeconds(new Headers({ "retry-after": "Fri, 31 Dec 1999 23:59:59 GMT" }))).toBeNull()
})

it("returns null or at least 0 seconds for any header", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]*$/), (text) => {
      const seconds = readRetryAfterSeconds(new Headers({ "retry-after": text }))
      return seconds === null || seconds >= 0
    }),
  )
})
