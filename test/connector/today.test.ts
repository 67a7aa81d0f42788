// get_today, the day's document and the page say the same of a date, however rarely a device is worn.
import { DayResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

const TodaySchema = z.object({
  figures: z.array(
    z.object({
      metric: z.string(),
      value: z.union([z.number(), z.string()]),
      usual_low: z.union([z.number(), z.string()]).nullable(),
      usual_high: z.union([z.number(), z.string()]).nullable(),
    }),
  ),
})

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 400 })
})
afterAll(() => service.close())

/** A person with records of every so many dates alone. */
async function wornEvery(dates: number) {
  const person = service.simulator.people.add({ email: `every-${dates}@vendor.example` })
  const { member, key } = await Member.connected(service, person)
  const { pool } = service.store
  const ofMember = `select id from restwell."user" where email = '${member.email}'`
  await pool.query(
    `delete from restwell.record where user_id = (${ofMember}) and (date - current_date) % $1 <> 0 and date < (select max(date) from restwell.record where user_id = (${ofMember}))`,
    [dates],
  )
  await pool.query(`update restwell.person set data_version = data_version + 1`)
  return { member, key, token: (await connectAssistant(service, member)).access_token }
}

test.each([1, 5, 9])(
  "of a device that is worn every %d dates, usual ranges are those of trends and of the page",
  async (dates) => {
    const { member, key, token } = await wornEvery(dates)
    const { figures } = TodaySchema.parse((await callTool(service, token, "get_today")).structuredContent)
    expect(figures.length).toBeGreaterThan(6)
    const rows = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends?days=14")).json()).days
    const row = rows.findLast(({ recovery }) => recovery?.hrv != null)
    for (const { metric, usual_low: low, usual_high: high } of figures) {
      const trend = await fetch(`${service.url}/api/v1/trend?metric=${metric}&days=14`, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect((await trend.json()).usual, metric).toMatchObject({ low, high })
      if (metric === "hrv") expect(row?.hrv_band).toEqual({ low, high })
    }
  },
)

test("the document of a day has the records that the day has", async () => {
  const { key, token } = await wornEvery(2)
  const headers = { authorization: `Bearer ${key}` }
  const newest = DayResponseSchema.parse(await (await fetch(`${service.url}/api/v1/day`, { headers })).json())
  const date = newest.figures_date ?? newest.date
  const day = DayResponseSchema.parse(await (await fetch(`${service.url}/api/v1/day?date=${date}`, { headers })).json())
  const { structuredContent } = await callTool(service, token, "fetch", { id: `day:${date}` })
  const { text } = z.object({ text: z.string() }).parse(structuredContent)
  for (const { hrv, resting_heart_rate: rate } of day.recovery?.records ?? [])
    expect(text).toContain(`hrv ${hrv}, rhr ${rate}`)
  for (const { asleep_hours: asleep } of day.sleep?.records ?? []) expect(text).toContain(`asleep ${asleep}`)
  for (const { sport_type: sport } of day.workout?.records ?? []) expect(text).toContain(sport)
  expect(text.split("\n\n")).toHaveLength(4)
})
