/** Withings' lists: forms with an action, by dates or by the time of the last change, in no order and on pages. */
import type { FastifyInstance } from "fastify"
import { formOf } from "../http/vendor-api.ts"
import { DAY_MS } from "../model/calendar.ts"
import type { Grant } from "../vendor/grants.ts"
import type { Collection } from "../world/collection.ts"
import { segmentsOf } from "./segments.ts"
import { admit, STATUS, type WithingsVendor, withingsError, wrongParameter } from "./vendor.ts"
import type { WireMeasureGroup } from "./wire.ts"

const ACTIVITY = "user.activity"
const METRICS = "user.metrics"

/** Fields of a sleep that are there without being named. */
const UNNAMED_FIELDS: readonly string[] = [
  "lightsleepduration",
  "deepsleepduration",
  "remsleepduration",
  "wakeupduration",
  "total_sleep_time",
  "total_timeinbed",
]

export function addWithingsDataRoutes(app: FastifyInstance, vendor: WithingsVendor): void {
  const rowsOf = ({ userId }: Grant) => vendor.rowsOf(vendor.people.get(userId))
  app.post("/v2/sleep", async (request) => {
    const form = formOf(request)
    switch (form.get("action")) {
      case "getsummary": {
        const rows = rowsOf(admit(vendor, request, ACTIVITY)).sleep
        return pageOf(
          vendor,
          form,
          "series",
          asked(vendor, form, rows).map((row) => withData(row, form)),
        )
      }
      case "get": {
        const { sleep } = rowsOf(admit(vendor, request, ACTIVITY))
        const start = secondOf(form, "startdate")
        // Only the first 24 hours after the start are served.
        const end = Math.min(secondOf(form, "enddate"), start + DAY_MS / 1000)
        const segments = visible(vendor, sleep)
          .filter(({ startdate, enddate }) => startdate < end && enddate > start)
          .flatMap((row) => segmentsOf(row))
          .filter(({ startdate, enddate }) => startdate < end && enddate > start)
          .map((segment) => withMaps(segment, form))
        return { status: STATUS.ok, body: { series: segments, model: 32 } }
      }
      default:
        throw withingsError(2554, "Not implemented")
    }
  })
  app.post("/v2/measure", async (request) => {
    const form = formOf(request)
    switch (form.get("action")) {
      case "getactivity": {
        const rows = rowsOf(admit(vendor, request, ACTIVITY)).activity
        return pageOf(
          vendor,
          form,
          "activities",
          asked(vendor, form, rows).map((row) => withFields(row, form)),
        )
      }
      case "getworkouts": {
        const rows = rowsOf(admit(vendor, request, ACTIVITY)).workouts
        return pageOf(
          vendor,
          form,
          "series",
          asked(vendor, form, rows).map((row) => withData(row, form)),
        )
      }
      default:
        throw withingsError(2554, "Not implemented")
    }
  })
  app.post("/measure", async (request) => {
    const form = formOf(request)
    const grant = admit(vendor, request, METRICS)
    if (form.get("action") !== "getmeas") throw withingsError(2554, "Not implemented")
    const groups = measuresOf(visible(vendor, rowsOf(grant).measures), form)
    const { timezone, updatetime } = {
      timezone: vendor.people.get(grant.userId).traits.homeZone,
      updatetime: Math.floor(vendor.clock.nowMs() / 1000),
    }
    return pageOf(vendor, form, "measuregrps", groups, { updatetime, timezone })
  })
}

/** In an order that no client can rely on. */
const visible = <Row extends object>({ clock }: WithingsVendor, rows: Collection<Row>): Row[] =>
  rows
    .visibleAt(clock.nowMs())
    .map(({ key, body }, index) => ({ body, rank: (key.length + index * 7) % 5 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ body }) => body)

/** Rows of dates, or of changes since a second: one of both. */
function asked<Row extends { readonly date: string; readonly modified: number }>(
  vendor: WithingsVendor,
  form: URLSearchParams,
  rows: Collection<Row>,
): Row[] {
  const all = visible(vendor, rows)
  const since = form.get("lastupdate")
  const [first, last] = [form.get("startdateymd"), form.get("enddateymd")]
  if (since !== null) {
    if (first !== null || last !== null) throw wrongParameter("lastupdate or dates")
    const second = secondOf(form, "lastupdate")
    return all.filter(({ modified }) => modified >= second)
  }
  if (first === null || last === null || !isDate(first) || !isDate(last))
    throw wrongParameter("startdateymd, enddateymd")
  if ((Date.parse(last) - Date.parse(first)) / DAY_MS + 1 > vendor.settings.mostDays) throw wrongParameter("enddateymd")
  return all.filter(({ date }) => date >= first && date <= last)
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function secondOf(form: URLSearchParams, name: string): number {
  const text = form.get(name) ?? ""
  if (!/^\d{1,10}$/.test(text)) throw wrongParameter(name)
  return Number(text)
}

const fieldsOf = (form: URLSearchParams): readonly string[] | undefined => form.get("data_fields")?.split(",")

const only = (value: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(value).filter(([name, one]) => names.includes(name) && one !== null))

/** What is not named is not there. */
function withData<Row extends { readonly data: object }>(row: Row, form: URLSearchParams): object {
  return Array.isArray(row.data) ? row : { ...row, data: only(row.data, fieldsOf(form) ?? UNNAMED_FIELDS) }
}

const MAPS = ["hr", "rr", "rmssd"]

function withMaps(segment: object, form: URLSearchParams): object {
  const named = fieldsOf(form) ?? []
  return only(
    segment,
    Object.keys(segment).filter((name) => !MAPS.includes(name) || named.includes(name)),
  )
}

const ACTIVITY_DATA = ["steps", "distance", "elevation", "calories", "totalcalories", "hr_average", "hr_min", "hr_max"]

function withFields(row: object, form: URLSearchParams): object {
  const named = fieldsOf(form) ?? ["steps", "distance", "calories"]
  return only(
    row,
    Object.keys(row).filter((name) => !ACTIVITY_DATA.includes(name) || named.includes(name)),
  )
}

function measuresOf(groups: readonly WireMeasureGroup[], form: URLSearchParams): object[] {
  const types = (form.get("meastypes") ?? form.get("meastype"))?.split(",").map(Number)
  const category = form.get("category")
  const since = form.get("lastupdate") === null ? undefined : secondOf(form, "lastupdate")
  const [start, end] = since === undefined ? [secondOf(form, "startdate"), secondOf(form, "enddate")] : [0, Infinity]
  return groups
    .filter((group) => category === null || String(group.category) === category)
    .filter((group) => (since === undefined ? group.date >= start && group.date <= end : group.modified >= since))
    .map((group) => ({ ...group, measures: group.measures.filter(({ type }) => types?.includes(type) ?? true) }))
    .filter(({ measures }) => measures.length > 0)
}

/** `more` is true, or 1 for measures. */
function pageOf(
  { settings: { pageSize } }: WithingsVendor,
  form: URLSearchParams,
  name: string,
  rows: readonly object[],
  besides: object = {},
): object {
  const offset = form.get("offset") === null ? 0 : secondOf(form, "offset")
  const end = offset + pageSize
  const hasMore = end < rows.length
  const more = name === "measuregrps" ? Number(hasMore) : hasMore
  return { status: STATUS.ok, body: { ...besides, [name]: rows.slice(offset, end), more, offset: hasMore ? end : 0 } }
}
