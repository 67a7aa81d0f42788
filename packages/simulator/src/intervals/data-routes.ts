/** intervals.icu's lists of days and activities. It checks the key first, then the parameters. */
import type { FastifyInstance, FastifyRequest } from "fastify"
import { queryOf } from "../http/vendor-api.ts"
import { DAY_MS, localDay } from "../model/calendar.ts"
import type { Person } from "../world/people.ts"
import { rowOf } from "./rows.ts"
import { authorize, type IntervalsVendor, intervalsError } from "./vendor.ts"
import type { WireActivity, WireWellness } from "./wire.ts"

const athleteId = ({ userId }: Person): string => `i${userId}`

export function addIntervalsRoutes(app: FastifyInstance, vendor: IntervalsVendor): void {
  const { rowsOf, clock, options } = vendor
  app.get<{ Params: { athlete: string } }>("/api/v1/athlete/:athlete", async (request) => {
    const person = ownerOf(vendor, request)
    const { traits, firstName, lastName, email } = person
    return {
      id: athleteId(person),
      name: `${firstName} ${lastName}`,
      firstname: firstName,
      lastname: lastName,
      email,
      sex: "F",
      ...(options.leavesZoneOut !== true && { timezone: traits.homeZone }),
      locale: "en",
      weight: traits.body.weightKilograms,
      icu_resting_hr: 50,
    }
  })
  app.get<{ Params: { athlete: string } }>("/api/v1/athlete/:athlete/wellness", async (request) => {
    const person = ownerOf(vendor, request)
    const query = queryOf(request)
    const [oldest, newest] = [dateOf(query, "oldest"), dateOf(query, "newest")]
    requireShort(vendor, oldest, newest)
    const known = rowsOf(person)
      .wellness.visibleAt(clock.nowMs())
      .map(({ body }) => body)
    const all = [...known, ...projectionsOf(vendor, person, known)]
    return all
      .filter(({ id }) => (oldest === undefined || id >= oldest) && (newest === undefined || id <= newest))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map((row) => withFields(row, query))
  })
  app.get<{ Params: { athlete: string; date: string } }>("/api/v1/athlete/:athlete/wellness/:date", async (request) => {
    const person = ownerOf(vendor, request)
    const { date } = request.params
    const found = rowsOf(person).wellness.at(date, clock.nowMs())
    return found ?? { id: date }
  })
  app.get<{ Params: { athlete: string } }>("/api/v1/athlete/:athlete/activities", async (request) => {
    const person = ownerOf(vendor, request)
    const query = queryOf(request)
    const oldest = dateOf(query, "oldest")
    if (oldest === undefined) throw intervalsError(422, "oldest is required")
    const newest = dateOf(query, "newest")
    requireShort(vendor, oldest, newest)
    return rowsOf(person)
      .activities.visibleAt(clock.nowMs())
      .map(({ body }) => body)
      .filter(({ start_date_local: local }) => {
        const date = local.slice(0, 10)
        return date >= oldest && (newest === undefined || date <= newest)
      })
      .toSorted((one, other) => (one.start_date_local > other.start_date_local ? -1 : 1))
      .map((row) => withFields(row, query))
  })
  app.get<{ Params: { id: string } }>("/api/v1/activity/:id", async (request) => {
    const person = authorize(vendor, request)
    const found = rowsOf(person).activities.at(request.params.id, clock.nowMs())
    if (!found) throw intervalsError(404, "Activity not found")
    if (found.source === "STRAVA") throw intervalsError(422, "Cannot read Strava activities via the API")
    return found
  })
}

/** Athlete 0 is the owner of the key. */
function ownerOf(vendor: IntervalsVendor, request: FastifyRequest<{ Params: { athlete: string } }>): Person {
  const person = authorize(vendor, request)
  const { athlete } = request.params
  if (athlete !== "0" && athlete !== athleteId(person)) throw intervalsError(403, "Access denied")
  return person
}

function dateOf(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!/^\d{4}-\d\d-\d\d(?:T[\d:]+)?$/.test(text) || Number.isNaN(Date.parse(text.slice(0, 10))))
    throw intervalsError(400, `${name} is not a date`)
  return text.slice(0, 10)
}

const LONGEST_RANGE_DAYS = 180

/** Lists have no pages, and a long one is refused. */
function requireShort({ clock }: IntervalsVendor, oldest: string | undefined, newest: string | undefined): void {
  const [fromMs, toMs] = [Date.parse(oldest ?? ""), newest === undefined ? clock.nowMs() : Date.parse(newest)]
  if (toMs - fromMs >= LONGEST_RANGE_DAYS * DAY_MS) throw intervalsError(422, "The range is too long")
}

const PROJECTED_DAYS = 10

/** Days to come, as its training model expects them. What was carried over to them looks like measured values. */
function projectionsOf(
  { people, clock }: IntervalsVendor,
  person: Person,
  known: readonly WireWellness[],
): WireWellness[] {
  const { life, memberSinceMs } = people.memberOf(person)
  if (memberSinceMs === undefined) return []
  const today = localDay(person.traits.homeZone, clock.nowMs())
  const there = new Set(known.map(({ id }) => id))
  return Array.from({ length: PROJECTED_DAYS }, (_, ahead) =>
    rowOf(life, today + 1 + ahead, { tempWeight: false, restingHR: 60, hrv: 40 }),
  ).filter(({ id }) => !there.has(id))
}

/** With `fields`, what is null is left out. */
function withFields(row: WireWellness | WireActivity, query: URLSearchParams): object {
  const fields = query.get("fields")
  if (fields === null) return row
  const wanted = fields.split(",")
  return Object.fromEntries(Object.entries(row).filter(([name, value]) => wanted.includes(name) && value !== null))
}
