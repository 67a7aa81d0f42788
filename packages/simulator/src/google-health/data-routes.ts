/**
 * Google Health's data points and sums of days. It refuses what Google refuses, and answers nothing where Google does: a filter by local time
 * of types that are found by instants is no error, and has no points.
 */
import type { FastifyInstance, FastifyRequest } from "fastify"
import { bearerToken, queryOf } from "../http/vendor-api.ts"
import { DAY_MS, offsetMinutes } from "../model/calendar.ts"
import type { Grant } from "../vendor/grants.ts"
import { readPageToken, writePageToken } from "../vendor/page-token.ts"
import type { Collection } from "../world/collection.ts"
import { dailyTypeOf, type PersonPoints } from "./points.ts"
import { type GoogleVendor, googleError, invalidArgument, PREFIX } from "./vendor.ts"
import {
  dailyDate,
  dateText,
  type WireDaily,
  type WireGoogleBodyFat,
  type WireGoogleDay,
  type WireGoogleExercise,
  type WireGoogleSleep,
  type WireGoogleWeight,
  wireDate,
} from "./wire.ts"

type AnyPoint = WireGoogleSleep | WireGoogleExercise | WireDaily | WireGoogleWeight | WireGoogleBodyFat

const METRICS = "health_metrics_and_measurements"
const SCOPES: Readonly<Record<string, string>> = {
  sleep: "sleep",
  exercise: "activity_and_fitness",
  steps: "activity_and_fitness",
  distance: "activity_and_fitness",
  "total-calories": "activity_and_fitness",
  "active-energy-burned": "activity_and_fitness",
}

export function addGoogleDataRoutes(app: FastifyInstance, vendor: GoogleVendor): void {
  app.get("/v4/users/me/identity", async (request) => {
    const { userId } = admit(vendor, request, "profile")
    return { name: "users/me/identity", healthUserId: healthUserId(userId), legacyUserId: "ABC123" }
  })
  app.get("/v4/users/me/settings", async (request) => {
    const { userId } = admit(vendor, request, "settings")
    const { homeZone } = vendor.people.get(userId).traits
    const utcOffset = `${offsetMinutes(homeZone, vendor.clock.nowMs()) * 60}s`
    return { name: "users/me/settings", timeZone: homeZone, utcOffset, weightUnit: "WEIGHT_UNIT_KILOGRAMS" }
  })
  app.get<{ Params: { type: string } }>("/v4/users/me/dataTypes/:type/dataPoints", async (request) => {
    const { type } = request.params
    const { userId } = admit(vendor, request, SCOPES[type] ?? METRICS)
    return listPoints(vendor, type, vendor.pointsOf(userId), queryOf(request))
  })
  app.get<{ Params: { type: string; id: string } }>("/v4/users/me/dataTypes/:type/dataPoints/:id", async (request) => {
    const { type, id } = request.params
    const { userId } = admit(vendor, request, SCOPES[type] ?? METRICS)
    const points = vendor.pointsOf(userId)
    const nowMs = vendor.clock.nowMs()
    const point =
      type === "sleep" ? points.sleep.at(id, nowMs) : type === "exercise" ? points.exercise.at(id, nowMs) : undefined
    if (!point) throw googleError(404, "Data point not found", { status: "NOT_FOUND" })
    return point
  })
  app.post<{ Params: { type: string } }>("/v4/users/me/dataTypes/:type/dataPoints::dailyRollUp", async (request) => {
    const { type } = request.params
    const { userId } = admit(vendor, request, SCOPES[type] ?? METRICS)
    return rollUp(vendor, type, userId, request.body)
  })
}

const healthUserId = (userId: number): string => String(1_000_000_000 + userId)

function admit({ grants, rateLimiter }: GoogleVendor, request: FastifyRequest, scope: string): Grant {
  const grant = grants.authorize(bearerToken(request) ?? "")
  if (!grant) throw googleError(401, "Request had invalid authentication credentials", { status: "UNAUTHENTICATED" })
  rateLimiter.take(grant.userId)
  if (grant.scopes.includes(`${PREFIX}${scope}.readonly`)) return grant
  throw googleError(403, "Request had insufficient authentication scopes.", {
    status: "PERMISSION_DENIED",
    reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
  })
}

interface Filter {
  readonly member: string
  readonly from: string
  readonly to: string
}

const FILTER = /^([\w.]+) >= "([^"]+)"(?: AND ([\w.]+) < "([^"]+)")?$/

function filterOf(query: URLSearchParams): Filter | undefined {
  const text = query.get("filter")
  if (text === null) return undefined
  const [, member, from = "", second = member, to = "9999"] = FILTER.exec(text) ?? []
  if (member === undefined || second !== member) throw invalidArgument("The filter cannot be read", "INVALID_FILTER")
  return { member, from, to }
}

const snake = (type: string) => type.replaceAll("-", "_")

/** What the points of a type are found by. */
function listed(type: string, points: PersonPoints, filter: Filter | undefined, nowMs: number): AnyPoint[] {
  const bodies = <T extends object>(collection: Collection<T>): T[] =>
    collection.visibleAt(nowMs).map(({ body }) => body)
  const within = <T>(all: readonly T[], keyOf: (point: T) => string): T[] =>
    all.filter((point) => !filter || (keyOf(point) >= filter.from && keyOf(point) < filter.to))
  const wrongMember = () =>
    invalidArgument(`The filter has no member ${filter?.member}`, "INVALID_DATA_POINT_FILTER_DATA_TYPE_MEMBER")
  if (type === "sleep") {
    if (filter && filter.member !== "sleep.interval.end_time") throw wrongMember()
    // What goes on is listed with the newest.
    return within(bodies(points.sleep), ({ sleep: { interval } }) => interval.endTime ?? filter?.from ?? "")
  }
  if (type === "exercise") {
    if (filter && filter.member !== "exercise.interval.civil_start_time") throw wrongMember()
    return within(bodies(points.exercise), ({ exercise: { interval } }) => civil(interval))
  }
  const daily = dailyTypeOf(type)
  if (daily) {
    if (filter && filter.member !== `${snake(type)}.date`) throw wrongMember()
    return within(bodies(points.daily[daily]), dailyDate)
  }
  if (type === "weight" || type === "body-fat") {
    if (filter?.member === `${snake(type)}.sample_time.civil_time`) return []
    if (filter && filter.member !== `${snake(type)}.sample_time.physical_time`) throw wrongMember()
    if (type === "weight") return within(bodies(points.weight), ({ weight }) => weight.sampleTime.physicalTime)
    return within(bodies(points.bodyFat), ({ bodyFat }) => bodyFat.sampleTime.physicalTime)
  }
  // Minutes of the day are found by their instant, and a filter by local time has none.
  if (filter?.member === `${snake(type)}.interval.civil_start_time`) return []
  throw invalidArgument(`The type ${type} is not listed`)
}

function civil({ startTime, startUtcOffset }: { readonly startTime: string; readonly startUtcOffset: string }): string {
  return new Date(Date.parse(startTime) + Number.parseInt(startUtcOffset, 10) * 1000).toISOString().slice(0, 19)
}

const MOST_OF_A_PAGE = 10_000
const SESSIONS_OF_A_PAGE = 25

/** Where there are several pages, an empty one comes before each, and its token leads on. */
function listPoints(vendor: GoogleVendor, type: string, points: PersonPoints, query: URLSearchParams) {
  const isSession = type === "sleep" || type === "exercise"
  const most = isSession ? SESSIONS_OF_A_PAGE : MOST_OF_A_PAGE
  const size = Number(query.get("pageSize") ?? (isSession ? SESSIONS_OF_A_PAGE : 1_440))
  if (!(size >= 1 && size <= most)) throw invalidArgument(`pageSize must be at most ${most}`)
  if (type === "sleep" && query.has("dataSourceFamily")) throw invalidArgument("sleep has no data source families")
  const all = listed(type, points, filterOf(query), vendor.clock.nowMs())
  const token = query.get("pageToken")
  const first = all.length > size ? "gap-0" : "at-0"
  const [, mark = "at", start = "0"] = /^(at|gap)-(\d+)$/.exec(token === null ? first : readPageToken(token)) ?? []
  if (mark === "gap") return { dataPoints: [], nextPageToken: writePageToken(`at-${start}`) }
  const end = Number(start) + size
  const dataPoints = all.slice(Number(start), end)
  return {
    ...(dataPoints.length > 0 && { dataPoints }),
    ...(end < all.length && { nextPageToken: writePageToken(`gap-${end}`) }),
  }
}

const LONGEST_DAYS = 90
const LONGEST_OF_ENERGY = 14
const ENERGY_AT_REST = 1_512.4

/** Sums of civil days. Energy is estimated for days without a device too. */
function rollUp(vendor: GoogleVendor, type: string, userId: number, body: unknown): object {
  const [from, to] = [dateIn(body, "start"), dateIn(body, "end")]
  const longest = type === "total-calories" ? LONGEST_OF_ENERGY : LONGEST_DAYS
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS
  if (!(count > 0 && count <= longest)) throw invalidArgument(`The range must be at most ${longest} days`)
  const days = new Map(
    vendor
      .pointsOf(userId)
      .days.visibleAt(vendor.clock.nowMs())
      .map(({ body: day }) => [day.date, day]),
  )
  const dates = Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10),
  )
  const rollupDataPoints = dates.flatMap((date) => {
    const sums = sumsOf(type, days.get(date))
    const next = new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)
    return sums ? [{ civilStartTime: { date: wireDate(date) }, civilEndTime: { date: wireDate(next) }, ...sums }] : []
  })
  const start = Number(readPageToken(String(Reflect.get(Object(body), "pageToken") ?? "")))
  const end = start + vendor.settings.sumsOfAPage
  const page = rollupDataPoints.slice(start, end)
  return {
    ...(page.length > 0 && { rollupDataPoints: page }),
    ...(end < rollupDataPoints.length && { nextPageToken: writePageToken(String(end)) }),
  }
}

function sumsOf(type: string, day: WireGoogleDay | undefined): object | undefined {
  if (type === "total-calories") return { totalCalories: { kcalSum: day?.totalKcal ?? ENERGY_AT_REST } }
  if (!day) return undefined
  switch (type) {
    case "steps":
      return { steps: { countSum: String(day.steps) } }
    case "distance":
      return { distance: { millimetersSum: String(day.distanceMillimeters) } }
    case "active-energy-burned":
      return { activeEnergyBurned: { kcalSum: day.activeKcal } }
    default:
      throw invalidArgument(`The type ${type} has no sums of days`)
  }
}

/** A text is refused: an end of the range is an object with a date. */
function dateIn(body: unknown, end: "start" | "end"): string {
  const date: unknown = Reflect.get(Object(Reflect.get(Object(Reflect.get(Object(body), "range")), end)), "date")
  const [year, month, day] = ["year", "month", "day"].map((name) => Number(Reflect.get(Object(date), name)))
  if (!(year && month && day)) throw invalidArgument(`range.${end} is no civil time`)
  return dateText({ year, month, day })
}
