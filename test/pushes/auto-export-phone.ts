// An iPhone that pushes with Health Auto Export, and what its person reads afterwards.
import { TrendsResponseSchema } from "@restwell/client"
import { Member, readHealth } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import { newToken, push, pushed } from "./pusher.ts"

const path = "/api/ingest/health-auto-export"

/** Someone in Berlin whose iPhone pushes with the app. */
export async function autoExportPhone(service: TestService) {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const [{ token }, key] = [await newToken(member), await member.newKey()]
  return {
    send: (data: object) => pushed(service, { data }, { token, path }),
    refused: async (body: unknown) => (await push(service, body, { token, path })).json(),
    read: async (type: string) => (await (await readHealth(service.url, key, `?type=${type}&days=7`)).json()).records,
    course: async () => {
      const answer = await member.send("GET", "/api/account/trends?start_date=2026-11-21&end_date=2026-11-21")
      return TrendsResponseSchema.parse(await answer.json()).days[0]?.sleep?.course
    },
    points: async (type: string) => {
      const url = `${service.url}/api/v1/series?type=${type}&start_date=2026-11-20&end_date=2026-11-21&resolution=raw`
      return (await (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).json()).points
    },
  }
}

export const metric = (name: string, units: string, ...data: object[]) => ({ name, units, data })
export const segment = (startDate: string, endDate: string, value: string, source = "Apple Watch") => ({
  startDate,
  endDate,
  value,
  qty: 1,
  source,
})
