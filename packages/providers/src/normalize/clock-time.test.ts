import fc from "fast-check"
import { expect, test } from "vitest"
import { writtenMs } from "./clock-time.ts"

const two = (number: number) => String(number).padStart(2, "0")

test("a time is read if and only if a calendar and a clock show it", () => {
  const part = (most: number) => fc.integer({ min: 0, max: most })
  fc.assert(
    fc.property(
      part(60).map((year) => 2000 + year),
      part(13),
      part(32),
      part(25),
      part(61),
      part(61),
      (...parts) => {
        const [year, month, day, hour, minute, second] = parts
        const ms = writtenMs(`${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`)
        const at = { year, month, day, hour, minute, second }
        let expected = Number.NaN
        try {
          expected = Temporal.PlainDateTime.from(at, { overflow: "reject" }).toZonedDateTime("UTC").epochMilliseconds
        } catch {
          // No calendar shows it.
        }
        expect(ms).toEqual(expected)
      },
    ),
    { numRuns: 2_000 },
  )
})

test.each([
  "2025-02-30",
  "2025-04-31 10:00",
  "2025-02-29T00:00:00",
  "2025-01-01 24:00:00",
  "2025-01-01 10:61",
  "2025-13-01",
  "2025-00-10",
  "x",
])("%s is no time", (text) => {
  expect(writtenMs(text)).toBeNaN()
})
