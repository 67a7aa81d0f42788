// The calls of Oura's API v2: addresses, days, pages. https://cloud.ouraring.com/v2/docs
//
// How a collection reads `start_date` and `end_date` differs between collections, and reports contradict each other. So every range is
// asked for with two more days at both ends, and trimmed by `day`.
import { addDays } from "@restwell/client/calendar-dates"
import { AccessTokenRejected, ContractViolation, RequestRefused } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { SampleWindow } from "../contract/series.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { known } from "../normalize/known.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { OuraDayedSchema, OuraIdSchema, OuraPageSchema, OuraPersonalInfoSchema } from "./wire.ts"

/** The collections that are read, with their fields. The minutes of an activity day are left out: they are nine tenths of
 * its bytes. */
export const FIELDS = {
  sleep: [
    "id",
    "meta",
    "day",
    "type",
    "bedtime_start",
    "bedtime_end",
    "time_in_bed",
    "total_sleep_duration",
    "light_sleep_duration",
    "deep_sleep_duration",
    "rem_sleep_duration",
    "awake_time",
    "latency",
    "efficiency",
    "average_breath",
    "average_hrv",
    "average_heart_rate",
    "lowest_heart_rate",
    "sleep_phase_5_min",
    "sleep_phase_30_sec",
    "heart_rate",
    "hrv",
  ],
  daily_sleep: ["id", "meta", "day", "score", "contributors"],
  daily_readiness: ["id", "meta", "day", "score", "temperature_deviation", "contributors"],
  daily_spo2: ["id", "meta", "day", "spo2_percentage"],
  daily_activity: [
    "id",
    "meta",
    "day",
    "timestamp",
    "total_calories",
    "active_calories",
    "steps",
    "equivalent_walking_distance",
    "contributors",
  ],
  workout: ["id", "meta", "day", "activity", "start_datetime", "end_datetime", "calories", "distance"],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** The collections that are listed. Comments of tags are not asked for. */
const LISTED_FIELDS = {
  ...FIELDS,
  enhanced_tag: ["id", "tag_type_code", "start_time", "custom_name"],
} as const satisfies Readonly<Record<string, readonly string[]>>

export const HEART_RATE_FIELDS = ["timestamp", "bpm"] as const

/** Collections that records are made of. */
export type OuraCollection = keyof typeof FIELDS
export const COLLECTIONS: readonly OuraCollection[] = [
  "sleep",
  "daily_sleep",
  "daily_readiness",
  "daily_spo2",
  "daily_activity",
  "workout",
]
type ListedCollection = keyof typeof LISTED_FIELDS
type PagedCollection = ListedCollection | "heartrate"

/** Names a document that is a part of a record. */
export const partId = (collection: string, id: string): string => `${collection}.${id}`

const COLLECTION = "/v2/usercollection/"
const PERSONAL_INFO = "/v2/usercollection/personal_info"

const PADDING_DAYS = 2
/** More pages than anyone's history. */
const MOST_PAGES = 1000

/** Local calendar dates, both included. */
export interface DayRange {
  readonly first: string
  readonly last: string
}

/** One person's access. */
export interface OuraAccess {
  readonly client: VendorClient
  readonly accessToken: string
  /** Collections whose scope the person's grant lacks. Oura may answer those as if there were nothing. */
  readonly withheld: readonly string[]
}

/** Returns all documents of these days. A document without a readable day is among them. */
export async function listDocuments(
  access: OuraAccess,
  collection: ListedCollection,
  range: DayRange,
): Promise<readonly Json[]> {
  const documents = await readPages(access, collection, range).catch((error: unknown) => throwMeant(access, error))
  return lastOfEach(documents).filter((document) => isWithin(document, range))
}

/** Returns one document, or undefined when Oura does not have it. */
export async function getDocument(
  access: OuraAccess,
  collection: ListedCollection,
  id: string,
): Promise<Json | undefined> {
  const call = { path: `${COLLECTION}${collection}/{id}`, accessToken: access.accessToken, parameters: { id } }
  const document = await access.client.read(call).catch((error: unknown) => throwMeant(access, error))
  if (document === undefined) refuseWithheld(access, collection)
  return document === undefined ? undefined : withFields(document, collection)
}

/** Returns the person, parsed and with the fields that are read. */
export async function getPersonalInfo({ client, accessToken }: OuraAccess) {
  const body = await client.read({ path: PERSONAL_INFO, accessToken })
  if (body === undefined) throw new RequestRefused(`GET ${PERSONAL_INFO} answered 404`)
  const info = parseWhole(OuraPersonalInfoSchema, body, `GET ${PERSONAL_INFO}`)
  return { info, raw: picked(body, ["id", "email", "height", "weight"]) }
}

async function readPages(access: OuraAccess, collection: ListedCollection, range: DayRange): Promise<Json[]> {
  const documents: Json[] = []
  for await (const page of pagesOf(access, collection, listQuery(collection, range)))
    documents.push(...page.map((document) => withFields(document, collection)))
  return documents
}

/** Returns all heart rates of a window, page by page. */
export function listHeartRates(access: OuraAccess, { from, to }: SampleWindow): Promise<(readonly Json[])[]> {
  const query = {
    start_datetime: from.toISOString(),
    end_datetime: to.toISOString(),
    fields: HEART_RATE_FIELDS.join(","),
  }
  return Array.fromAsync(pagesOf(access, "heartrate", query)).catch((error: unknown) => throwMeant(access, error))
}

async function* pagesOf(
  access: OuraAccess,
  collection: PagedCollection,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<readonly Json[], void> {
  const path = `${COLLECTION}${collection}`
  const tokens = new Set<string>()
  let isEmpty = true
  for (;;) {
    const token = [...tokens].at(-1)
    const { client, accessToken } = access
    const body = await client.read({ path, accessToken, query: { ...query, ...known({ next_token: token }) } })
    if (body === undefined) throw new RequestRefused(`GET ${path} answered 404`)
    const page = parseWhole(OuraPageSchema, body, `GET ${path}`)
    yield page.data
    isEmpty &&= page.data.length === 0
    const next = page.next_token
    if (!next) break
    if (tokens.has(next) || tokens.size >= MOST_PAGES)
      throw new ContractViolation(`The pages of ${collection} never end`, "next_token")
    tokens.add(next)
  }
  if (isEmpty) refuseWithheld(access, collection)
}

/** @throws {RequestRefused} for a collection that the person did not open: that it gives nothing says nothing */
function refuseWithheld({ withheld }: OuraAccess, collection: PagedCollection): void {
  if (withheld.includes(collection))
    throw new RequestRefused(`${collection} gave nothing, and the grant lacks its scope`, { isForbidden: true })
}

const listQuery = (collection: ListedCollection, { first, last }: DayRange) => ({
  start_date: addDays(first, -PADDING_DAYS),
  end_date: addDays(last, PADDING_DAYS),
  fields: LISTED_FIELDS[collection].join(","),
})

/** A list that changes while it is paged can contain a document twice. A document without an id is kept. */
function lastOfEach(documents: readonly Json[]): readonly Json[] {
  const idOf = (document: Json) => OuraIdSchema.safeParse(document).data?.id
  const last = new Map(documents.map((document) => [idOf(document), document]))
  return documents.filter((document) => idOf(document) === undefined || last.get(idOf(document)) === document)
}

function isWithin(document: Json, { first, last }: DayRange): boolean {
  const day = OuraDayedSchema.safeParse(document).data?.day
  return day === undefined || (day >= first && day <= last)
}

/** A list may bring the whole document despite `fields`, and a single document always does. */
const withFields = (document: Json, collection: ListedCollection): Json => picked(document, LISTED_FIELDS[collection])

function picked(document: Json, fields: readonly string[]): Json {
  if (typeof document !== "object" || document === null || Array.isArray(document)) return document
  return Object.fromEntries(Object.entries(document).filter(([field]) => fields.includes(field)))
}

/** A missing scope is 403 or 401. A token that still reads the person is valid, so this data is not for it. */
async function throwMeant(access: OuraAccess, error: unknown): Promise<never> {
  if (!(error instanceof AccessTokenRejected && (await isAccepted(access)))) throw error
  throw new RequestRefused(error.message, { cause: error, isForbidden: true })
}

async function isAccepted({ client, accessToken }: OuraAccess): Promise<boolean> {
  try {
    return (await client.read({ path: PERSONAL_INFO, accessToken })) !== undefined
  } catch (error) {
    if (error instanceof AccessTokenRejected) return false
    throw error
  }
}
