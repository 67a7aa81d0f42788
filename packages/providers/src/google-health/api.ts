// The calls of the Google Health API v4: addresses, filters, pages. https://developers.google.com/health/reference/rest
//
// A filter has a member of its own for each kind of type, and another one is refused or answers nothing at all: sleeps are found by their end,
// exercises by their local start, samples by their instant, days by their date. Local days and instants differ by less than a day, so lists
// are asked for with a day more at both ends.
import { addDays } from "@restwell/client/calendar-dates"
import { z } from "zod"
import { type Advice, AppRefused, ContractViolation, RequestRefused } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { SampleWindow } from "../contract/series.ts"
import type { Answer } from "../http/exchange.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { known } from "../normalize/known.ts"
import { parseWhole } from "../normalize/read-records.ts"
import {
  type DailyType,
  GoogleIdentitySchema,
  GooglePageSchema,
  GoogleRollUpPageSchema,
  GoogleSettingsSchema,
  type RollUpType,
} from "./wire.ts"

/** One person's access. */
export interface GoogleAccess {
  readonly client: VendorClient
  readonly accessToken: string
}

/** Local dates, both included. */
export interface DateRange {
  readonly first: string
  readonly last: string
}

export type SessionType = "sleep" | "exercise"
export type SampleType = "weight" | "body-fat"

const ME = "/v4/users/me"
const pointsOf = (type: string): string => `${ME}/dataTypes/${type}/dataPoints`

/** More pages than anyone's history. */
const MOST_PAGES = 2_000
/** Sleeps and exercises have more than this refused, and less by default of no other type. */
const SESSIONS_OF_A_PAGE = 25
const POINTS_OF_A_PAGE = 1_000
/** Days of one sum. Longer ranges are refused. */
const ROLL_UP_DAYS: Readonly<Record<RollUpType, number>> = {
  steps: 90,
  distance: 90,
  "active-energy-burned": 90,
  "total-calories": 14,
}

const snake = (type: string): string => type.replaceAll("-", "_")
const between = (member: string, from: string, to: string): string => `${member} >= "${from}" AND ${member} < "${to}"`
const dayAt = (date: string): string => `${date}T00:00:00Z`

/** Returns all sleeps that ended, or exercises that began, on these dates or a day beside them. */
export function listSessions(access: GoogleAccess, type: SessionType, { first, last }: DateRange): Promise<Json[]> {
  const [from, to] = [addDays(first, -1), addDays(last, 2)]
  const filter =
    type === "sleep"
      ? between("sleep.interval.end_time", dayAt(from), dayAt(to))
      : between("exercise.interval.civil_start_time", from, to)
  return listPoints(access, type, { filter, pageSize: String(SESSIONS_OF_A_PAGE) })
}

/**
 * Returns the newest sleeps that ended, or exercises that began, on these dates: up to the page that has one of those that are looked for.
 * They come newest first.
 */
export function listNewestSessions(
  access: GoogleAccess,
  type: SessionType,
  { first, last, isWanted }: DateRange & { isWanted(point: Json): boolean },
): Promise<Json[]> {
  const to = addDays(last, 1)
  const filter =
    type === "sleep"
      ? between("sleep.interval.end_time", dayAt(first), dayAt(to))
      : between("exercise.interval.civil_start_time", first, to)
  const hasWanted = (points: readonly Json[]) => points.some(isWanted)
  return listPoints(access, type, { filter, pageSize: String(SESSIONS_OF_A_PAGE) }, hasWanted)
}

/** Returns the points of these dates. A date may have several. */
export const listDaily = (access: GoogleAccess, type: DailyType, { first, last }: DateRange): Promise<Json[]> =>
  listPoints(access, type, {
    filter: between(`${snake(type)}.date`, first, addDays(last, 1)),
    pageSize: String(POINTS_OF_A_PAGE),
  })

/** Returns all samples of a window. */
export const listSamples = (access: GoogleAccess, type: SampleType, { from, to }: SampleWindow): Promise<Json[]> =>
  listPoints(access, type, {
    filter: between(`${snake(type)}.sample_time.physical_time`, from.toISOString(), to.toISOString()),
    pageSize: String(POINTS_OF_A_PAGE),
  })

/** Returns one sleep or exercise. Undefined where it is deleted. */
export const getSession = (access: GoogleAccess, type: SessionType, id: string): Promise<Json | undefined> =>
  access.client.read({ path: `${pointsOf(type)}/{id}`, parameters: { id }, accessToken: access.accessToken })

/** Returns what each of these dates adds up to, by the days of the person's own clock. */
export async function listRollUps(
  access: GoogleAccess,
  type: RollUpType,
  { first, last }: DateRange,
): Promise<readonly Json[]> {
  const rows: Json[] = []
  const end = addDays(last, 1)
  for (let from = first; from < end; from = addDays(from, ROLL_UP_DAYS[type])) {
    const to = addDays(from, ROLL_UP_DAYS[type])
    rows.push(...(await rollUp(access, type, { from, to: to < end ? to : end })))
  }
  return rows
}

async function rollUp(
  { client, accessToken }: GoogleAccess,
  type: RollUpType,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Json[]> {
  const path = `${pointsOf(type)}:dailyRollUp`
  const range = { start: { date: civilDate(from) }, end: { date: civilDate(to) } }
  return paged(`POST ${path}`, async (pageToken) => {
    const body = { range, windowSizeDays: 1, ...known({ pageToken }) }
    const page = parseWhole(GoogleRollUpPageSchema, await answered(client.read({ path, body, accessToken })), path)
    return { points: page.rollupDataPoints, next: page.nextPageToken }
  })
}

function civilDate(date: string): { year: number; month: number; day: number } {
  const { year, month, day } = Temporal.PlainDate.from(date)
  return { year, month, day }
}

function listPoints(
  { client, accessToken }: GoogleAccess,
  type: string,
  query: Readonly<Record<string, string>>,
  isLast?: IsLastPage,
): Promise<Json[]> {
  const path = pointsOf(type)
  const read = async (pageToken: string | undefined): Promise<PointPage> => {
    const body = await answered(client.read({ path, accessToken, query: { ...query, ...known({ pageToken }) } }))
    const page = parseWhole(GooglePageSchema, body, `GET ${path}`)
    return { points: page.dataPoints, next: page.nextPageToken }
  }
  return paged(`GET ${path}`, read, isLast)
}

interface PointPage {
  readonly points: readonly Json[] | undefined
  readonly next: string | null | undefined
}

/** Whether the pages after one with these points are not read. */
type IsLastPage = (points: readonly Json[]) => boolean

/** An empty page may have a next one: its token alone says so. */
async function paged(
  operation: string,
  read: (pageToken: string | undefined) => Promise<PointPage>,
  isLast: IsLastPage = () => false,
): Promise<Json[]> {
  const points: Json[] = []
  const tokens = new Set<string>()
  for (;;) {
    const page = await read([...tokens].at(-1))
    points.push(...(page.points ?? []))
    if (!page.next || isLast(page.points ?? [])) return points
    if (tokens.has(page.next) || tokens.size >= MOST_PAGES)
      throw new ContractViolation(`The pages of ${operation} never end`, "nextPageToken")
    tokens.add(page.next)
  }
}

/** What is always there is not missing. */
async function answered(read: Promise<Json | undefined>): Promise<Json> {
  const body = await read
  if (body === undefined) throw new RequestRefused("A list of Google answered 404")
  return body
}

/** Returns the person, parsed and as sent. */
export async function getIdentity({ client, accessToken }: GoogleAccess) {
  const path = `${ME}/identity`
  const raw = await answered(client.read({ path, accessToken }))
  return { identity: parseWhole(GoogleIdentitySchema, raw, `GET ${path}`), raw }
}

/** Days of a zone that is not known would be of other hours than the person's. */
const ZoneSchema = GoogleSettingsSchema.refine(
  ({ timeZone, utcOffset }) => Boolean(timeZone) || typeof utcOffset === "number",
  { error: "names no time zone", path: ["timeZone"] },
)

/** Returns the person's time zone as sent. */
export async function getSettings({ client, accessToken }: GoogleAccess): Promise<Json> {
  const path = `${ME}/settings`
  const body = await answered(client.read({ path, accessToken }))
  const { timeZone, utcOffset } = z.record(z.string(), z.custom<Json>()).catch({}).parse(body)
  parseWhole(ZoneSchema, body, `GET ${path}`)
  return { ...(timeZone !== undefined && { timeZone }), ...(utcOffset !== undefined && { utcOffset }) }
}

const DetailSchema = z.object({
  reason: z.string().optional().catch(undefined),
  metadata: z.object({ activationUrl: z.string().optional() }).optional().catch(undefined),
  links: z
    .array(z.object({ url: z.string() }))
    .optional()
    .catch(undefined),
})
/** Details of a refusal: one names its reason, and another one may have the links that help. https://google.aip.dev/193 */
const RefusalSchema = z.object({ error: z.object({ details: z.array(DetailSchema).catch([]) }) })

const CONSOLE = /^https:\/\/console\.(?:developers|cloud)\.google\.com\/[\w./?=&%-]{0,200}$/

const NOT_LINKED: Advice = {
  reason: "this Google account is not linked to Google Health",
  nextStep: "Open the Fitbit app with this account and finish its set-up, or connect the account that the app uses",
}

/**
 * A grant that Google no longer honours, whatever its scopes. Many accounts met it at once.
 * @see https://github.com/arpanghosh8453/fitbit-grafana/issues/79
 */
const NOT_HONOURED: Advice = {
  reason: "Google refuses the data of this account to this server's app, although it was allowed",
  nextStep: "Remove the app at myaccount.google.com/connections and connect again",
}

/** The API is switched on for each project of the operator, and an account has to be one of Google Health. Both are told. */
export function refusalOf({ status, text, headers }: Answer, operation: string): RequestRefused | undefined {
  const refusal = RefusalSchema.safeParse(jsonOf(text)).data?.error
  if (!refusal) return undefined
  const { details } = refusal
  const isFor = (name: string) => details.some(({ reason }) => reason === name)
  if (isFor("ACCOUNT_NOT_LINKED"))
    return new RequestRefused(`${operation}: ${NOT_LINKED.reason}`, { advice: NOT_LINKED })
  if (isFor("SERVICE_DISABLED")) return disabledOf(details, operation)
  const lacksScope = isFor("ACCESS_TOKEN_SCOPE_INSUFFICIENT") || isScopeMissing(headers)
  if (status !== 403 || lacksScope) return undefined
  const reasons = details.flatMap(({ reason }) => reason ?? [])
  return new RequestRefused(`${operation} answered 403 ${reasons.join(" ").slice(0, LONGEST_REASON)}`.trim(), {
    isForbidden: true,
    advice: NOT_HONOURED,
  })
}

/** Where a refusal has no details its header alone may say so. RFC 6750 3.1 */
const isScopeMissing = (headers: Headers): boolean =>
  /\binsufficient_scope\b/.test(headers.get("www-authenticate") ?? "")

/** Characters of what a log says of a refusal. */
const LONGEST_REASON = 100

function disabledOf(details: readonly z.infer<typeof DetailSchema>[], operation: string): AppRefused {
  const urls = details.flatMap(({ metadata, links }) => [
    metadata?.activationUrl,
    ...(links ?? []).map(({ url }) => url),
  ])
  const url = urls.find((one) => one !== undefined && CONSOLE.test(one))
  return new AppRefused(
    `${operation}: the Google Health API is not enabled in the project of this app, enable it${url ? ` at ${url}` : ""}`,
  )
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
