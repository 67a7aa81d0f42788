// The calls of Withings' API: forms with an action, dates or the time of the last change, and pages. https://developer.withings.com/api-reference
//
// Lists are in no order. A range of dates has a limit that is documented in two ways, so what is refused as too long is asked in parts.
import { addDays } from "@restwell/client/calendar-dates"
import { ContractViolation, RequestRefused } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { openToken } from "./oauth.ts"
import {
  ACTIVITY_FIELDS,
  DETAIL_FIELDS,
  SEGMENT_FIELDS,
  SLEEP_FIELDS,
  WithingsListSchema,
  WithingsPageSchema,
  WORKOUT_FIELDS,
} from "./wire.ts"

/** One person's access. */
export interface WithingsAccess {
  readonly client: VendorClient
  readonly accessToken: string
}

/** Local dates, both included. */
interface DateRange {
  readonly first: string
  readonly last: string
}

/** What a list is asked for: dates, or all that was made or changed since a second. */
export type Asked = DateRange | { readonly changedSince: number }

/** Before every change. */
export const EVER = { changedSince: 1 } as const

const SLEEP = "/v2/sleep"
const MEASURE = "/v2/measure"
const MEASURES = "/measure"

/** Days of one call, and of one call of a vendor that refuses those. */
const [MOST_DAYS, FEW_DAYS] = [180, 7] as const
/** More pages than anyone's history. */
const MOST_PAGES = 1000

interface List {
  readonly path: string
  /** Name of the list in a page. */
  readonly name: string
  readonly form: Readonly<Record<string, string>>
  /** Fields of a row that are kept. */
  readonly fields: readonly string[]
}

const DATED_ROW = ["id", "startdate", "enddate", "timezone", "date", "model", "created", "modified"] as const

/** The lists that dates can be asked of. */
const LISTS = {
  sleep: {
    path: SLEEP,
    name: "series",
    form: { action: "getsummary", data_fields: SLEEP_FIELDS.join(",") },
    fields: [...DATED_ROW, "hash_deviceid", "completed", "data"],
  },
  workouts: {
    path: MEASURE,
    name: "series",
    form: { action: "getworkouts", data_fields: WORKOUT_FIELDS.join(",") },
    fields: [...DATED_ROW, "category", "data"],
  },
  activity: {
    path: MEASURE,
    name: "activities",
    form: { action: "getactivity", data_fields: ACTIVITY_FIELDS.join(",") },
    fields: [
      "date",
      "timezone",
      "modified",
      "brand",
      "is_tracker",
      "deviceid",
      "hash_deviceid",
      "model",
      ...ACTIVITY_FIELDS,
    ],
  },
} as const satisfies Readonly<Record<string, List>>
export type ListName = keyof typeof LISTS

/** The header of a person's calls. */
export const authorizationOf = (accessToken: string): string => `Bearer ${openToken(accessToken).token}`

/** Returns all rows of a list, in no order. */
export async function listRows(access: WithingsAccess, name: ListName, asked: Asked): Promise<readonly Json[]> {
  const list = LISTS[name]
  if ("changedSince" in asked)
    return (await readPages(access, list, { lastupdate: String(asked.changedSince) })).flatMap(({ rows }) => rows)
  const rows: Json[] = []
  for (const part of partsOf(asked, MOST_DAYS)) rows.push(...(await listDates(access, list, part)))
  return rows
}

async function listDates(access: WithingsAccess, list: List, range: DateRange): Promise<readonly Json[]> {
  const read = async ({ first, last }: DateRange) =>
    (await readPages(access, list, { startdateymd: first, enddateymd: last })).flatMap(({ rows }) => rows)
  const parts = [...partsOf(range, FEW_DAYS)]
  try {
    return await read(range)
  } catch (error) {
    const isTooLong = error instanceof RequestRefused && !error.isForbidden && parts.length > 1
    if (!isTooLong) throw error
  }
  const rows: Json[] = []
  for (const part of parts) rows.push(...(await read(part)))
  return rows
}

function* partsOf({ first, last }: DateRange, days: number): Generator<DateRange, void> {
  for (let from = first; from <= last; from = addDays(from, days)) {
    const to = addDays(from, days - 1)
    yield { first: from, last: to < last ? to : last }
  }
}

/** Returns what was measured within a night, in no order. Withings has the first 24 hours after its start. */
export async function listSegments(
  access: WithingsAccess,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<readonly Json[]> {
  const [startdate, enddate] = [String(Math.floor(startMs / 1000)), String(Math.ceil(endMs / 1000))]
  const form = { action: "get", startdate, enddate, data_fields: DETAIL_FIELDS.join(",") }
  const list: List = { path: SLEEP, name: "series", form, fields: [...SEGMENT_FIELDS, "hash_deviceid"] }
  const rows = (await readPages(access, list, {})).flatMap((page) => page.rows)
  // A page that moved while it was read, or a repeated one, gives a segment twice.
  return [...new Map(rows.map((row) => [jsonTextOf(row), row])).values()]
}

/** Groups of measures, and the time zone of the account as it is now: they have none of their own. */
export interface MeasureGroups {
  readonly rows: readonly Json[]
  readonly timezone: string | undefined
}

/** Returns the groups with measures of these types. Goals are not asked for. */
export async function listMeasures(
  access: WithingsAccess,
  types: readonly number[],
  asked: { readonly from: Date; readonly to: Date } | { readonly changedSince: number },
): Promise<MeasureGroups> {
  const list: List = {
    path: MEASURES,
    name: "measuregrps",
    form: { action: "getmeas", meastypes: types.join(","), category: "1" },
    fields: ["grpid", "attrib", "date", "modified", "category", "measures"],
  }
  const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000))
  const range =
    "changedSince" in asked
      ? { lastupdate: String(asked.changedSince) }
      : { startdate: seconds(asked.from), enddate: seconds(asked.to) }
  const pages = await readPages(access, list, range)
  return { rows: pages.flatMap(({ rows }) => rows), timezone: pages[0]?.timezone }
}

interface PageOfRows {
  readonly rows: readonly Json[]
  readonly timezone: string | undefined
}

async function readPages(
  { client, accessToken }: WithingsAccess,
  { path, name, form, fields }: List,
  range: Readonly<Record<string, string>>,
): Promise<readonly PageOfRows[]> {
  const operation = `POST ${path} (${form["action"]})`
  const pages: PageOfRows[] = []
  let offset = 0
  for (;;) {
    const more = offset > 0 ? { offset: String(offset) } : {}
    const answer = await client.read({ path, accessToken, form: { ...form, ...range, ...more } })
    if (answer === undefined) throw new RequestRefused(`${operation} answered 404`)
    const { body } = parseWhole(WithingsPageSchema, answer, operation)
    const rows = WithingsListSchema.safeParse(body[name] ?? (Object.keys(body).length === 0 ? [] : undefined))
    if (!rows.success) throw new ContractViolation(`${operation} answered without its list`, `body.${name}`)
    pages.push({ rows: rows.data.map((row) => picked(row, fields)), timezone: body.timezone ?? undefined })
    if (!body.more) return pages
    const next = body.offset ?? 0
    if (next <= offset || pages.length >= MOST_PAGES)
      throw new ContractViolation(`The pages of ${operation} never end`, "body.offset")
    offset = next
  }
}

function picked(row: Json, fields: readonly string[]): Json {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row
  return Object.fromEntries(Object.entries(row).filter(([field, value]) => value !== null && fields.includes(field)))
}
