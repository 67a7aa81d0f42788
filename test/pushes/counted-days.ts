// What was counted on dates, as people read it: the day, and the day of the series.
import { Member } from "@restwell/testing/member"
import type { TestService } from "@restwell/testing/service"
import { expect } from "vitest"
import { z } from "zod"
import { newToken } from "./pusher.ts"

export type CountType = "steps" | "active_energy" | "distance"

const FIELDS = { steps: "steps", active_energy: "active_calories", distance: "distance_meters" } as const
const DECIMALS = { steps: 0, active_energy: 0, distance: 1 } as const

const CyclesSchema = z.object({ records: z.array(z.looseObject({ date: z.iso.date() })) })
const SeriesSchema = z.object({ points: z.array(z.object({ date: z.iso.date(), sum: z.number(), n: z.int() })) })

export async function countingPerson(service: TestService, timeZone = "Europe/Berlin") {
  const member = new Member(service)
  await member.signUp()
  const moveTo = (time_zone: string) => member.send("PUT", "/api/account/preferences", { time_zone })
  await moveTo(timeZone)
  const { token } = await newToken(member)
  const key = await member.newKey()
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
    expect(response.status).toBe(200)
    return response.json()
  }
  /** The sums by date. Those of days and of the series are equal, always. @param source all that answer where it is left out */
  const sums = async (type: CountType = "steps", [from, to] = ["2026-11-08", "2026-11-20"], source?: string) => {
    const dates = `start_date=${from}&end_date=${to}${source === undefined ? "" : `&source=${source}`}`
    const { records } = CyclesSchema.parse(await read(`/api/v1/health?type=cycle&${dates}`))
    const { points } = SeriesSchema.parse(await read(`/api/v1/series?type=${type}&resolution=1d&${dates}`))
    const hours = SeriesSchema.omit({ points: true })
      .extend({ points: z.array(z.object({ sum: z.number() })) })
      .parse(await read(`/api/v1/series?type=${type}&resolution=1h&${dates}`))
    const ofDays = records
      .toSorted((one, other) => (one.date < other.date ? -1 : 1))
      .flatMap((record) => {
        const value = record[FIELDS[type]]
        return typeof value === "number" ? [[record.date, value] as const] : []
      })
    const factor = 10 ** DECIMALS[type]
    expect(ofDays).toEqual(points.map(({ date, sum }) => [date, Math.round(sum * factor) / factor]))
    const total = points.reduce((sum, point) => sum + point.sum, 0)
    expect(hours.points.reduce((sum, point) => sum + point.sum, 0)).toBeCloseTo(total, 0)
    return Object.fromEntries(points.map(({ date, sum }) => [date, sum]))
  }
  /** True without any source. */
  const isEmpty = async (): Promise<boolean> => {
    const response = await fetch(`${service.url}/api/v1/health?type=cycle`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return response.status === 404
  }
  return { member, token, moveTo, read, sums, isEmpty }
}
