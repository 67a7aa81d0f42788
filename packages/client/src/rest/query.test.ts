import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { DAYS, HEALTH_TYPES, HealthQuerySchema } from "./query.ts"

const accepts = (query: Record<string, unknown>) => HealthQuerySchema.safeParse(query).success
const problemOf = (query: Record<string, unknown>) => HealthQuerySchema.safeParse(query).error?.issues[0]?.message

it("reads the summary when no type is given", () => {
  expect(HealthQuerySchema.parse({})).toEqual({ type: "summary" })
})

describe("type", () => {
  it.each(HEALTH_TYPES)("accepts %s", (type) => {
    expect(HealthQuerySchema.parse({ type })).toEqual({ type })
  })

  it.each(["", "Sleep", "sleep ", "sleeps", "workouts", "all", "__proto__", "constructor"])("rejects %j", (type) => {
    expect(problemOf({ type })).toBe("must be one of summary, sleep, recovery, workout, cycle, profile")
  })

  it("rejects a repeated type", () => {
    expect(accepts({ type: ["sleep", "sleep"] })).toBe(false)
  })
})

describe("days", () => {
  it("accepts every whole number from 1 to 90, and returns it as a number", () => {
    for (let days = DAYS.min; days <= DAYS.max; days += 1) {
      expect(HealthQuerySchema.parse({ days: String(days) }).days).toBe(days)
    }
  })

  it.each([
    "0",
    "91",
    "99",
    "100",
    "900",
    "-1",
    "-0",
    "+7",
    " 7",
    "7 ",
    "07",
    "007",
    "7.0",
    "7.5",
    "7,5",
    "1e1",
    "0x7",
    "0b1",
    "７",
    "٧",
    "Ⅶ",
    "",
    " ",
    "seven",
    "NaN",
    "Infinity",
    "null",
    "7\n",
    "7\u0000",
    "1_0",
    "9999999999999999999999",
  ])("rejects %j", (days) => {
    expect(problemOf({ days })).toBe("must be a whole number from 1 to 90")
  })

  it.each([[["7", "7"]], [7], [null], [{ $gt: 1 }]])("rejects %j, which is not a string", (days) => {
    expect(accepts({ days })).toBe(false)
  })

  it("accepts only the decimal text of a number from 1 to 90", () => {
    const valid = new Set(Array.from({ length: 90 }, (_, index) => String(index + 1)))
    const text = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.float().map(String),
      fc.stringMatching(/^[0-9+\-. e]{1,4}$/),
    )
    fc.assert(fc.property(text, (days) => accepts({ days }) === valid.has(days)))
  })
})

describe.each(["start_date", "end_date"])("%s", (name) => {
  it.each(["2026-11-19", "2024-02-29", "2000-02-29", "1900-01-01", "2200-12-31", "2026-12-31"])(
    "accepts %s",
    (date) => {
      expect(HealthQuerySchema.parse({ [name]: date })).toMatchObject({ [name]: date })
    },
  )

  it.each<readonly [date: string, problem: string]>([
    ["2025-02-30", "is not a day of the calendar"],
    ["2025-02-29", "is not a day of the calendar"],
    ["1900-02-29", "is not a day of the calendar"],
    ["2026-04-31", "is not a day of the calendar"],
    ["2026-13-01", "is not a day of the calendar"],
    ["2026-00-10", "is not a day of the calendar"],
    ["2026-01-00", "is not a day of the calendar"],
    ["2026-01-32", "is not a day of the calendar"],
    ["1899-12-31", "must lie between 1900-01-01 and 2200-12-31"],
    ["2201-01-01", "must lie between 1900-01-01 and 2200-12-31"],
    ["0000-01-01", "must lie between 1900-01-01 and 2200-12-31"],
    ...[
      "",
      "2026-1-5",
      "26-11-19",
      "2026/11/19",
      "20261119",
      "2026-11",
      "2026-W47-4",
      "2026-323",
      "19.11.2026",
      "today",
      "2026-11-19T00:00:00Z",
      "2026-11-19 ",
      " 2026-11-19",
      "2026-11-19\n",
      "+002026-11-19",
      "-2026-11-19",
      "２０２６-11-19",
      "2026–11–19",
    ].map((date) => [date, "must be a date written YYYY-MM-DD, like 2026-11-19"] as const),
  ])("rejects %j", (date, problem) => {
    expect(problemOf({ [name]: date })).toBe(problem)
  })

  it("accepts every day of the calendar", () => {
    const day = fc.date({ min: new Date("1900-01-01"), max: new Date("2200-12-31"), noInvalidDate: true })
    fc.assert(fc.property(day, (instant) => accepts({ [name]: instant.toISOString().slice(0, 10) })))
  })

  it("rejects any other text", () => {
    fc.assert(fc.property(fc.string(), (date) => !accepts({ [name]: date })))
  })
})

it("accepts days and dates together", () => {
  const query = { days: "3", start_date: "2026-11-01", end_date: "2026-11-07" }
  expect(HealthQuerySchema.parse(query)).toEqual({ type: "summary", ...query, days: 3 })
})
