/* Several devices of a person behind one source that collects from all of them: a phone's pushes, or its archive. */
import { DayResponseSchema, TrendResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { newToken, pushed } from "../pushes/pusher.ts"

const DAY_MS = 86_400_000
const LAST = Date.parse("2026-11-20T00:00:00Z")
const [RING, WATCH] = ["Lena's ring", "Lena's watch"]

let service: TestService
let lena: Wearer
beforeAll(async () => {
  service = await startTestService({ now: new Date(LAST + DAY_MS / 2), isStill: true })
  lena = await wearer()
  await lena.wear(RING, { from: -119, to: -40, hours: 6 })
  await lena.wear(WATCH, { from: -39, to: 0, hours: 7.5 })
})
afterAll(() => service.close())

/** Somebody whose phone pushes what their devices measure. */
async function wearer() {
  const member = new Member({ url: service.url })
  await member.signUp()
  const [token, key] = [await newToken(member), await member.newKey()]
  const push = (records: readonly object[]) => pushed(service, { records }, token)
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
    return response.json()
  }
  return {
    push,
    get,
    trend: async (query: string) => TrendResponseSchema.parse(await get(`/trend?${query}`)),
    /** Pushes a night of so many hours for each date. @param nights days after the last date, both included */
    wear: (source: string, nights: { readonly from: number; readonly to: number; readonly hours: number }) =>
      push(
        Array.from({ length: nights.to - nights.from + 1 }, (_, index) => {
          const day = LAST + (nights.from + index) * DAY_MS
          return { type: "sleep_segment", start: at(day, 7 - nights.hours), end: at(day, 7), value: "light", source }
        }),
      ),
  }
}
type Wearer = Awaited<ReturnType<typeof wearer>>

const at = (day: number, hours: number): string => new Date(day + hours * 3_600_000).toISOString()

test("a trend compares one device behind a source with itself, and says what it leaves out", async () => {
  const { verdict, n, notes } = await lena.trend("metric=asleep&days=120")
  expect([verdict, n]).toEqual(["no_clear_change", 40])
  expect(notes.join()).toContain(`80 days that only ${RING} recorded are left out`)
  // The ring's own time has its own trend.
  expect((await lena.trend("metric=asleep&start_date=2026-08-01&end_date=2026-10-10")).n).toBe(71)
})

const DaySchema = z.object({
  figures: z.array(z.object({ metric: z.string(), value: z.unknown(), latest: z.unknown() })),
  best: z.object({ kind: z.string(), value: z.number() }).nullable(),
})
const asleepOf = ({ figures }: z.infer<typeof DaySchema>) => figures.find(({ metric }) => metric === "asleep")

test("the first mornings of a new device have its figures, and the 100th night is that of all devices", async () => {
  const dayOf = async (date: string) => DaySchema.parse(await lena.get(`/day?date=${date}`))
  expect(asleepOf(await dayOf("2026-10-14"))).toMatchObject({ value: 7.5 })
  expect((await lena.trend("metric=asleep&start_date=2026-10-12&end_date=2026-10-18")).n).toBe(7)
  expect((await dayOf("2026-10-31")).best).toEqual({ kind: "count", value: 100 })
})

test.each(["2026-10-10", "2026-10-13", "2026-10-22", "2026-11-19"])(
  "on %s rows and figures have one usual range",
  async (date) => {
    const { figures, rows } = DayResponseSchema.parse(await lena.get(`/day?date=${date}&rows=1`))
    const usual = figures.find(({ metric }) => metric === "asleep")?.usual ?? null
    expect(rows[0]?.asleep_band).toEqual(usual && { low: usual.low, high: usual.high })
  },
)

test("before the night has arrived, a morning shows the last night of the device that was worn last", async () => {
  const person = await wearer()
  await person.wear(RING, { from: -60, to: -6, hours: 6 })
  await person.wear(WATCH, { from: -5, to: -1, hours: 7.5 })
  const today = DaySchema.parse(await person.get("/day"))
  expect(asleepOf(today)).toMatchObject({ value: null, latest: { date: "2026-11-19", value: 7.5 } })
})

test("heart rates are those of the device that measured the night, however many an app copied", async () => {
  const morning = (source: string, count: number, value: number) =>
    Array.from({ length: count }, (_, index) => ({
      type: "heart_rate",
      start: at(LAST, 1 + index / 100),
      value,
      source,
    }))
  await lena.push([...morning("Oura", 400, 90), ...morning(WATCH, 40, 52)])
  const series = await lena.get("/series?type=heart_rate&resolution=1d&days=1")
  expect(series).toMatchObject({ points: [{ n: 40, mean: 52 }] })
  expect(await lena.trend("metric=lowest_heart_rate&days=30")).toMatchObject({ n: 1, mean: 52 })
})
