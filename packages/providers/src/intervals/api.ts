// The calls of intervals.icu's API: addresses, dates and lists. https://intervals.icu/api-docs.html
//
// Athlete 0 is the owner of the key. Lists have no pages, and both their dates are included. With `fields`, what is null is left out.
import { addDays } from "@restwell/client/calendar-dates"
import { AccessTokenRejected, RequestRefused } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { ACTIVITY_FIELDS, type IntervalsAthlete, IntervalsAthleteSchema, IntervalsListSchema } from "./wire.ts"

const ATHLETE = "/api/v1/athlete/0"
const WELLNESS = `${ATHLETE}/wellness`
const ACTIVITIES = `${ATHLETE}/activities`
const ACTIVITY = "/api/v1/activity/{id}"

/** One person's access. */
export interface IntervalsAccess {
  readonly client: VendorClient
  readonly accessToken: string
}

/** Local dates, both included. */
export interface DateRange {
  readonly first: string
  readonly last: string
}

/** The user of every key is this word. */
export const authorizationOf = (key: string): string =>
  `Basic ${Buffer.from(`API_KEY:${key}`, "utf8").toString("base64")}`

/** Returns whose key it is, parsed and with the fields that are read. @throws {AccessTokenRejected} for a key that is not accepted */
export async function getAthlete({
  client,
  accessToken,
}: IntervalsAccess): Promise<{ readonly athlete: IntervalsAthlete; readonly raw: Json }> {
  const body = await client.read({ path: ATHLETE, accessToken }).catch((error: unknown) => {
    // It is refused with 401 or 403, and has all rights.
    if (error instanceof RequestRefused && error.isForbidden)
      throw new AccessTokenRejected(error.message, { cause: error })
    throw error
  })
  if (body === undefined) throw new RequestRefused(`GET ${ATHLETE} answered 404`)
  const athlete = parseWhole(IntervalsAthleteSchema, body, `GET ${ATHLETE}`)
  return { athlete, raw: picked(body, Object.keys(IntervalsAthleteSchema.shape)) }
}

/** Returns the rows of these dates with these fields. */
export async function listWellness(
  access: IntervalsAccess,
  { first, last }: DateRange,
  fields: readonly string[],
): Promise<readonly Json[]> {
  const query = { oldest: first, newest: last, fields: fields.join(",") }
  const rows = await listOf(access, WELLNESS, query)
  return rows.map((row) => picked(row, fields))
}

/** Returns the row of a date, with these fields. Undefined where there is none, which may be an empty row. */
export async function getWellness(
  access: IntervalsAccess,
  date: string,
  fields: readonly string[],
): Promise<Json | undefined> {
  const row = await read(access, { path: `${WELLNESS}/{date}`, parameters: { date } })
  return row === undefined || Object.keys(Object(row)).length === 0 ? undefined : picked(row, fields)
}

/** Returns all activities that began on these dates. */
export async function listActivities(access: IntervalsAccess, { first, last }: DateRange): Promise<readonly Json[]> {
  const query = { oldest: first, newest: addDays(last, 1), fields: ACTIVITY_FIELDS.join(",") }
  const rows = await listOf(access, ACTIVITIES, query)
  return rows.map((row) => picked(row, ACTIVITY_FIELDS))
}

/** Returns one activity. Undefined where it is deleted, or hidden by Strava, which is a refusal of the request. */
export async function getActivity(access: IntervalsAccess, id: string): Promise<Json | undefined> {
  try {
    const activity = await read(access, { path: ACTIVITY, parameters: { id } })
    return activity === undefined ? undefined : picked(activity, ACTIVITY_FIELDS)
  } catch (error) {
    if (error instanceof RequestRefused && !error.isForbidden && !error.needsAppUpdate) return undefined
    throw error
  }
}

async function listOf(
  access: IntervalsAccess,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly Json[]> {
  const body = await read(access, { path, query })
  if (body === undefined) throw new RequestRefused(`GET ${path} answered 404`)
  return parseWhole(IntervalsListSchema, body, `GET ${path}`)
}

interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
}

/** A key that still reads its owner is valid, so this data is not for it. One that does not is refused altogether. */
async function read(access: IntervalsAccess, call: Call): Promise<Json | undefined> {
  const { client, accessToken } = access
  try {
    return await client.read({ ...call, accessToken })
  } catch (error) {
    const isRefused = error instanceof AccessTokenRejected || (error instanceof RequestRefused && error.isForbidden)
    if (!isRefused) throw error
    await getAthlete(access)
    throw new RequestRefused(error.message, { cause: error, isForbidden: true })
  }
}

function picked(row: Json, fields: readonly string[]): Json {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row
  return Object.fromEntries(Object.entries(row).filter(([field, value]) => value !== null && fields.includes(field)))
}
