import type { VendorName } from "@restwell/providers"
import type { Fault } from "@restwell/simulator"

/** A fault of the vendor. After its effect means: the vendor has acted, so the new tokens of a refresh are lost. */
export interface VendorFault {
  readonly fault: Omit<Fault, "match">
  readonly isAfterEffect: boolean
  /** True when the reply is valid but wrong: only the nightly reconciliation, or one a day later, can find out. */
  readonly isLie: boolean
}

const before = (fault: Omit<Fault, "match">): VendorFault => ({ fault, isAfterEffect: false, isLie: false })
const after = (fault: Omit<Fault, "match">): VendorFault => ({ fault, isAfterEffect: true, isLie: false })
const lie = (transform: Fault["transform"]): VendorFault => ({
  fault: { kind: "transform", ...(transform && { transform }) },
  isAfterEffect: true,
  isLie: true,
})

/** The parts of a reply that faults change. */
interface Shape {
  /** Names of the lists in pages. Empty where a page is the list. */
  readonly listNames: readonly string[]
  /** The field of a reply that is the page. @default the reply */
  readonly page?: string
  /** What names the next page of one that has none. */
  readonly next?: object
  /** Makes a record one that the vendor's documents do not allow. */
  readonly mangle: (record: object) => object
  /** Whether a refused access token is replaced by itself. Elsewhere it needs the person. */
  readonly isRefreshed: boolean
}

const SHAPES: Readonly<Record<VendorName, Shape>> = {
  whoop: {
    isRefreshed: true,
    listNames: ["records"],
    next: { next_token: "again" },
    mangle: (record) => ({ ...record, created_at: 7, updated_at: "soon" }),
  },
  oura: {
    isRefreshed: true,
    listNames: ["data"],
    next: { next_token: "again" },
    mangle: (record) => ({ ...record, bedtime_start: 7, start_datetime: "soon", timestamp: 7, score: "high" }),
  },
  polar: {
    isRefreshed: false,
    listNames: ["nights", "recharges"],
    mangle: (record) => ({ ...record, sleep_start_time: 7, sleep_end_time: "soon" }),
  },
  // Its answers have no list.
  ultrahuman: { isRefreshed: false, listNames: ["metric_data"], mangle: () => ({ data: { metrics: "soon" } }) },
  // Its lists have no name.
  intervals: {
    isRefreshed: false,
    listNames: [],
    mangle: (record) => ({
      ...record,
      ...{
        updated: "soon",
        hrv: "high",
        hrvSDNN: "high",
        restingHR: "low",
        spO2: "x",
        sleepSecs: "long",
        steps: "many",
      },
      ...{ start_date: 7, start_date_local: "soon", elapsed_time: "long", moving_time: "long" },
    }),
  },
  withings: {
    isRefreshed: true,
    listNames: ["series", "activities", "measuregrps"],
    page: "body",
    next: { more: true, offset: 300 },
    mangle: (record) => ({ ...record, startdate: "soon", modified: "soon", timezone: 7, date: "soon" }),
  },
  google_health: {
    isRefreshed: true,
    listNames: ["dataPoints", "rollupDataPoints"],
    next: { nextPageToken: "again" },
    mangle: (record) => ({
      ...record,
      ...{ sleep: { interval: 7 }, exercise: { interval: 7 }, weight: 7 },
      ...{ dailyRestingHeartRate: 7, dailyHeartRateVariability: 7, dailyRespiratoryRate: 7 },
      ...{ dailyOxygenSaturation: 7, dailySleepTemperatureDerivations: 7 },
    }),
  },
}

/** Changes the page of a reply. */
const ofPage = ({ page }: Shape, reply: unknown, change: (page: unknown) => unknown): unknown =>
  page === undefined ? change(reply) : { ...Object(reply), [page]: change(Reflect.get(Object(reply), page)) }

/** The name of the list in a page. Undefined where there is none. */
const listIn = ({ listNames }: Shape, page: unknown): string | undefined =>
  listNames.find((name) => Array.isArray(Reflect.get(Object(page), name)))

const isList = (shape: Shape, page: unknown): boolean => Array.isArray(page) || listIn(shape, page) !== undefined

/** Changes the records of a list by one function, and any other reply by another. */
const changed =
  (
    shape: Shape,
    list: (records: readonly object[]) => readonly object[],
    other: (reply: object) => unknown = (reply) => reply,
  ) =>
  (reply: unknown) =>
    ofPage(shape, reply, (page) => {
      if (Array.isArray(page)) return list(page)
      const name = listIn(shape, page)
      return name === undefined
        ? other(Object(page))
        : { ...Object(page), [name]: list(Reflect.get(Object(page), name)) }
    })

/** Whether a vendor gives new tokens without the person. */
export const isRefreshed = (provider: VendorName): boolean => SHAPES[provider].isRefreshed

/** All faults that a simulated vendor can have. */
export const faultsOf = (provider: VendorName): Readonly<Record<string, VendorFault>> => ({
  ...TRANSPORT_FAULTS,
  ...(isRefreshed(provider) && REFUSALS),
  ...contentFaults(SHAPES[provider]),
})

/** Access tokens are refreshed. A key that is refused altogether needs the person. */
const REFUSALS: Readonly<Record<string, VendorFault>> = {
  "status 401": before({ kind: "status", status: 401 }),
  "status 403": before({ kind: "status", status: 403 }),
}

const TRANSPORT_FAULTS: Readonly<Record<string, VendorFault>> = {
  latency: before({ kind: "latency", ms: 40 }),
  "status 400": before({ kind: "status", status: 400 }),
  "status 404": before({ kind: "status", status: 404 }),
  "status 500": before({ kind: "status", status: 500 }),
  "status 503, Retry-After": before({ kind: "status", status: 503, headers: { "retry-after": "90" } }),
  rate_limit: before({ kind: "rate_limit" }),
  hang: before({ kind: "hang" }),
  reset_connection: before({ kind: "reset_connection" }),
  "html 200": before({ kind: "html" }),
  "html 502": before({ kind: "html", status: 502 }),
  malformed_json: after({ kind: "malformed_json" }),
  truncated_json: after({ kind: "truncated_json" }),
  cut_body: after({ kind: "cut_body" }),
  drop_reply_after_effect: after({ kind: "drop_reply_after_effect" }),
  "every other reply lost": before({ kind: "reset_connection", probability: 0.5 }),
}

const contentFaults = (shape: Shape): Readonly<Record<string, VendorFault>> => ({
  "records of another shape": lie(changed(shape, (records) => records.map(shape.mangle), shape.mangle)),
  "a list of another shape": after({
    kind: "transform",
    transform: (reply) => ofPage(shape, reply, (page) => (isList(shape, page) ? { items: [] } : {})),
  }),
  "pages in a circle": after({
    kind: "transform",
    transform: (reply) =>
      ofPage(shape, reply, (page) =>
        shape.next && listIn(shape, page) !== undefined ? { ...Object(page), ...shape.next } : page,
      ),
  }),
  "records twice": after({ kind: "transform", transform: changed(shape, (records) => [...records, ...records]) }),
  "a record missing": lie(changed(shape, (records) => records.slice(1))),
  "empty lists": lie(changed(shape, () => [])),
})
