/** Ultrahuman's one address of data: a date, or a range of instants of at most seven days, whose edge days it clips. */
import type { FastifyInstance } from "fastify"
import { queryOf } from "../http/vendor-api.ts"
import { DAY_MS, SECOND_MS } from "../model/calendar.ts"
import type { Person } from "../world/people.ts"
import { authorize, type UltrahumanVendor, ultrahumanError } from "./vendor.ts"
import type { WirePoint } from "./wire.ts"

const LONGEST_RANGE_DAYS = 7

export function addUltrahumanRoutes(app: FastifyInstance, vendor: UltrahumanVendor): void {
  app.get("/api/v1/partner/daily_metrics", async (request) => {
    const person = authorize(vendor, request)
    const query = queryOf(request)
    if (query.has("email")) throw ultrahumanError(401, "User has not shared access!")
    const dates = datesOf(query)
    for (const date of dates) vendor.failing.require(date)
    const metrics = Object.fromEntries(dates.map((date) => [date, pointsOf(vendor, person, date)]))
    if (vendor.options.envelope === "list") {
      const points = Object.values(metrics).flat()
      return { data: { metric_data: points.map(({ type, object }) => ({ type: capitalized(type), object })) } }
    }
    return { data: { metrics, latest_time_zone: vendor.zones.of(person) }, error: null, status: 200 }
  })
}

const capitalized = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)

function datesOf(query: URLSearchParams): string[] {
  const [date, start, end] = [query.get("date"), query.get("start_epoch"), query.get("end_epoch")]
  if ((date === null) === (start === null || end === null)) throw ultrahumanError(400, "Invalid date or range")
  if (date !== null) {
    if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) throw ultrahumanError(400, "Invalid date")
    return [date]
  }
  const [from, to] = [Number(start) * SECOND_MS, Number(end) * SECOND_MS]
  if (!(to >= from && to - from <= LONGEST_RANGE_DAYS * DAY_MS)) throw ultrahumanError(400, "Invalid range")
  const days: string[] = []
  for (let ms = from + DAY_MS; ms <= to - DAY_MS; ms += DAY_MS) days.push(new Date(ms).toISOString().slice(0, 10))
  return days
}

const pointsOf = ({ daysOf, clock }: UltrahumanVendor, person: Person, date: string): readonly WirePoint[] =>
  daysOf(person).days.at(date, clock.nowMs())?.metrics ?? []
