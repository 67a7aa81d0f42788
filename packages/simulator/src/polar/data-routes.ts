/** Polar's lists. Every request is checked in the same order: token, rate limit, registration, range. An empty list may have no body. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { queryOf } from "../http/vendor-api.ts"
import { DAY_MS } from "../model/calendar.ts"
import type { Person } from "../world/people.ts"
import { type PolarVendor, personOf, polarError } from "./vendor.ts"
import type { WireExercise } from "./wire.ts"

const NIGHT_DAYS = 28
const EXERCISE_DAYS = 30
const ACTIVITY_DAYS = 365
const LONGEST_RANGE_DAYS = 28

export function addPolarDataRoutes(app: FastifyInstance, vendor: PolarVendor): void {
  const { rowsOf, clock } = vendor
  const nowMs = () => clock.nowMs()
  const bodies = <T>(collection: { visibleAt(nowMs: number): readonly { readonly body: T }[] }): T[] =>
    collection.visibleAt(nowMs()).map(({ body }) => body)
  const oldestNight = () => utcDate(nowMs() - (NIGHT_DAYS - 1) * DAY_MS)
  const get = (path: string, answer: (person: Person, request: FastifyRequest) => object | null) =>
    app.get(path, async (request, reply) => send(vendor, reply, answer(admit(vendor, request, reply), request)))

  get("/v3/users/sleep", (person) => ({
    nights: bodies(rowsOf(person.userId).nights).filter(({ date }) => date >= oldestNight()),
  }))
  get("/v3/users/nightly-recharge", (person) => ({
    recharges: bodies(rowsOf(person.userId).recharges).filter(({ date }) => date >= oldestNight()),
  }))
  get("/v3/users/biosensing/skintemperature", (person, request) => {
    const isWithin = rangeOf(request, nowMs(), NIGHT_DAYS)
    const rows = bodies(rowsOf(person.userId).temperatures).filter(({ sleep_date }) => isWithin(sleep_date))
    return rows.length > 0 ? rows : null
  })
  get("/v3/users/activities", (person, request) => {
    const isWithin = rangeOf(request, nowMs(), ACTIVITY_DAYS)
    return bodies(rowsOf(person.userId).days).filter(({ start_time }) => isWithin(start_time.slice(0, 10)))
  })
  const isServed = (userId: number, { upload_time: upload }: WireExercise): boolean => {
    const since = vendor.registrations.sinceOf(userId) ?? Number.POSITIVE_INFINITY
    return Date.parse(upload) >= Math.max(since, nowMs() - EXERCISE_DAYS * DAY_MS)
  }
  get("/v3/exercises", ({ userId }, request) =>
    bodies(rowsOf(userId).exercises)
      .filter((exercise) => isServed(userId, exercise))
      .map((exercise) => shown(exercise, request)),
  )
  get("/v3/users/physical-info", ({ traits }) => ({
    weight: traits.body.weightKilograms,
    height: Math.round(traits.body.heightMeters * 100),
    maximum_heart_rate: 188,
    resting_heart_rate: 55,
    vo2_max: 47,
  }))
  app.get<{ Params: { id: string } }>("/v3/exercises/:id", async (request, reply) => {
    const { userId } = admit(vendor, request, reply)
    const found = rowsOf(userId).exercises.at(request.params.id, nowMs())
    if (!found || !isServed(userId, found)) throw polarError(404, "Not found")
    return send(vendor, reply, shown(found, request))
  })
}

function admit(vendor: PolarVendor, request: FastifyRequest, reply: FastifyReply): Person {
  const person = personOf(vendor, request)
  reply.headers(vendor.rateLimiter.take())
  if (vendor.registrations.sinceOf(person.userId) === undefined) throw polarError(403, "User is not registered")
  vendor.registrations.serve(person.userId, vendor.clock.nowMs())
  return person
}

/** Zones are there on request. */
function shown<T extends { readonly heart_rate_zones: unknown }>(exercise: T, request: FastifyRequest): object {
  const { heart_rate_zones: zones, ...others } = exercise
  return queryOf(request).get("zones") === "true" ? { ...others, heart_rate_zones: zones } : others
}

const utcDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Both dates are included. Throws 400 for a range that is too long, or begins too early. */
function rangeOf(request: FastifyRequest, nowMs: number, days: number): (date: string) => boolean {
  const query = queryOf(request)
  const [from, to] = [query.get("from") ?? "", query.get("to") ?? ""]
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)]
  if (!/^\d{4}-\d\d-\d\d$/.test(from) || !/^\d{4}-\d\d-\d\d$/.test(to) || !(fromMs <= toMs))
    throw polarError(400, "from and to have to be dates")
  if (toMs - fromMs >= LONGEST_RANGE_DAYS * DAY_MS) throw polarError(400, "The range is longer than 28 days")
  if (from < utcDate(nowMs - days * DAY_MS)) throw polarError(400, "from is too long ago")
  return (date) => date >= from && date <= to
}

function send({ settings }: PolarVendor, reply: FastifyReply, body: object | null): unknown {
  if (body === null) return reply.code(204).send()
  return settings.names === "hyphens" ? withHyphens(body) : body
}

function withHyphens(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withHyphens)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll("_", "-"), withHyphens(each)]))
}
