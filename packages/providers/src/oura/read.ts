// Pages and single records of each kind.
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { failsInPart } from "../contract/collections.ts"
import { ProviderError, RequestRefused } from "../contract/errors.ts"
import type { FailedCollection, Json, Page, PageRequest, RecordKind, RecordRequest } from "../contract/records.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { recordsInRange } from "../normalize/records-in-range.ts"
import { COLLECTIONS, type DayRange, getDocument, type OuraAccess, type OuraCollection, partId } from "./api.ts"
import { fieldOf, ID_COLLECTIONS, type Joined, joinRecords, type KnownDocument } from "./join.ts"
import { readOuraRecords } from "./normalize.ts"
import { NO_SLEEP, OuraDayedSchema } from "./wire.ts"

/** Before the first ring was sold, in 2015. */
const FIRST_DAY = "2013-01-01"
/** A local date is a day from the UTC date at most, and a sleep may begin two days before its own. */
const EARLIER_DAYS = 1
const LATER_DAYS = 3

/** Returns all records of a request, newest first, on one page: Oura's pages have no size, and records are joined by day. */
export async function readPage(access: OuraAccess, request: PageRequest, now: Date): Promise<Page> {
  const joined = await joinRecords(access, request.kind, daysOf(request, now), request)
  const page = pageOf(request.kind, joined, now)
  const { from, to } = request
  return { ...page, records: recordsInRange(page.records, { from, to }) }
}

/**
 * Returns the record with this id. Events also name records by the id of another document of the day: `daily_sleep.<id>` is the main
 * sleep of that day, `daily_spo2.<id>` its recovery.
 */
export async function readRecord(
  access: OuraAccess,
  { kind, providerId, partIds = [], without = [] }: RecordRequest,
  now: Date,
): Promise<Page> {
  const found = await findDocument(access, kind, providerId)
  if (found && "error" in found) return { records: [], rejected: [], failed: [found] }
  if (found === undefined || isNoSleep(found.document)) return { records: [], rejected: [] }
  const { day } = parseWhole(OuraDayedSchema, found.document, `A document of ${found.collection}`)
  const asked = partIds.filter((id) => !without.some((collection) => id.startsWith(partId(collection, ""))))
  const parts = await Promise.all(asked.map((id) => findPart(access, id)))
  const known = [...parts.filter((part) => part !== undefined), found]
  const joined = await joinRecords(access, kind, { first: day, last: day }, { found: known, without })
  const page = pageOf(kind, joined, now)
  const isNamed = found.isPart ? isMain : (record: { providerId: string | null }) => record.providerId === providerId
  return { ...page, records: page.records.filter(isNamed), rejected: page.rejected.filter(isNamed) }
}

/** A daily score belongs to the main sleep, and blood oxygen to the recovery. */
const isMain = (record: { readonly kind: RecordKind; readonly isNap?: boolean }): boolean =>
  record.kind !== "sleep" || record.isNap === false

const isNoSleep = (document: Json): boolean => NO_SLEEP.includes(fieldOf(document, "type"))

interface FoundDocument extends KnownDocument {
  /** True for a document that is a part of another record. */
  readonly isPart: boolean
}

/** The collection whose ids events name a record by, beside its own. */
const PART_COLLECTIONS: Readonly<Partial<Record<RecordKind, OuraCollection>>> = {
  sleep: "daily_sleep",
  recovery: "daily_spo2",
}

/** Of a record, or after the name of a collection of a part of it. */
const PART_ID = /^(?:([a-z0-9_]+)\.)?([0-9A-Za-z_-]{1,150})$/

async function findDocument(
  access: OuraAccess,
  kind: RecordKind,
  providerId: string,
): Promise<FoundDocument | FailedCollection | undefined> {
  const [, prefix, id] = PART_ID.exec(providerId) ?? []
  const part = PART_COLLECTIONS[kind]
  // Ids of webhooks come this way, and another text could lead to another address.
  if (id === undefined || (prefix !== undefined && prefix !== part))
    throw new RequestRefused(`A ${kind} was asked for by an invalid id`)
  for (const collection of prefix !== undefined && part ? [part] : ID_COLLECTIONS[kind]) {
    const document = await readOrFail(access, collection, id)
    if (document instanceof ProviderError) {
      // The record's own collection fails: there is nothing else to read.
      if (prefix === undefined) throw document
      return { collection, error: document }
    }
    if (document !== undefined) return { collection, document, isPart: prefix !== undefined }
  }
  return undefined
}

/** Returns a document of a known day, or why its collection fails. A refusal may be about this document alone. */
async function readOrFail(access: OuraAccess, collection: OuraCollection, id: string) {
  try {
    const document = await getDocument(access, collection, id)
    if (document !== undefined) parseWhole(OuraDayedSchema, document, `A document of ${collection}`)
    return document
  } catch (error) {
    if (!failsInPart(error) || error instanceof RequestRefused) throw error
    return error
  }
}

/** Returns a document that was a part of a record, if Oura still has it. */
async function findPart(access: OuraAccess, partIdOfRecord: string): Promise<KnownDocument | undefined> {
  const [, prefix, id = ""] = PART_ID.exec(partIdOfRecord) ?? []
  const collection = COLLECTIONS.find((name) => name === prefix)
  if (collection === undefined) throw new RequestRefused("A part of a record was asked for by an invalid id")
  const document = await getDocument(access, collection, id)
  return document === undefined ? undefined : { collection, document }
}

function pageOf(kind: RecordKind, { raws, failed }: Joined, now: Date): Page {
  const { records, rejected } = readOuraRecords(kind, raws, now)
  return { records, rejected, ...(failed.length > 0 && { failed }) }
}

function daysOf({ from, to }: PageRequest, now: Date): DayRange {
  return {
    first: from ? addDays(utcDateOf(from), -EARLIER_DAYS) : FIRST_DAY,
    last: addDays(utcDateOf(to ?? now), LATER_DAYS),
  }
}
