/** Oura's collection of heart rates: a range of instants, pages of a thousand rows, no ids, and no webhooks. */

import type { FastifyInstance } from "fastify"
import { queryOf } from "../http/vendor-api.ts"
import { DAY_MS } from "../model/units.ts"
import { admit, fieldsOf, hasScope, PATH, readToken, withFields, writeToken } from "./data-routes.ts"
import type { WireHeartRate } from "./records/wire.ts"
import { type OuraVendor, ouraError } from "./vendor.ts"

const PAGE_ROWS = 1_000
const LONGEST_DAYS = 30
/** Ranges whose rows are kept while they are paged. */
const MOST_KEPT = 8

export function addHeartRateRoute(app: FastifyInstance, vendor: OuraVendor): void {
  const kept = new Map<string, readonly WireHeartRate[]>()
  app.get(`${PATH}/heartrate`, async (request) => {
    const grant = admit(vendor, request)
    const query = queryOf(request)
    const range = rangeOf(query, vendor.clock.nowMs())
    if (!hasScope(vendor, "heartrate", grant)) return { data: [], next_token: null }
    const filter = `${range.fromMs}|${range.toMs}`
    const token = query.get("next_token")
    const start = token === null ? 0 : Number(readToken(token, filter))
    const key = `${grant.userId}|${filter}`
    const rows =
      (token === null ? undefined : kept.get(key)) ??
      vendor.documentsOf(grant.userId).heartRates(range, vendor.clock.nowMs(), vendor.settings.heartRateShare)
    kept.delete(key)
    kept.set(key, rows)
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
    const end = start + PAGE_ROWS
    return {
      data: rows.slice(start, end).map((row) => withFields(row, fieldsOf(query))),
      next_token: end < rows.length ? writeToken(String(end), filter) : null,
    }
  })
}

/** Without an end the range reaches the present, and without a start it is a day. A date is its midnight. */
function rangeOf(query: URLSearchParams, nowMs: number): { fromMs: number; toMs: number } {
  const instantOf = (name: string): number | undefined => {
    const text = query.get(name)
    if (text === null) return undefined
    const atMs = Date.parse(text)
    if (Number.isNaN(atMs)) throw ouraError(400, `${name} is not a date-time`)
    return atMs
  }
  const toMs = instantOf("end_datetime") ?? nowMs
  const fromMs = instantOf("start_datetime") ?? toMs - DAY_MS
  if (fromMs > toMs) throw ouraError(400, "Start datetime is greater than end datetime")
  if (toMs - fromMs > LONGEST_DAYS * DAY_MS) throw ouraError(400, `The range is longer than ${LONGEST_DAYS} days`)
  return { fromMs, toMs }
}
