import { VENDORS, type VendorName } from "@restwell/providers"
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
  /** Name of the list in a page. */
  readonly listName: string
  /** Makes a record one that the vendor's documents do not allow. */
  readonly mangle: (record: object) => object
}

const SHAPES: Readonly<Record<VendorName, Shape>> = {
  whoop: { listName: "records", mangle: (record) => ({ ...record, created_at: 7, updated_at: "soon" }) },
  oura: {
    listName: "data",
    mangle: (record) => ({ ...record, bedtime_start: 7, start_datetime: "soon", timestamp: 7, score: "high" }),
  },
  // Its lists have no name.
  intervals: {
    listName: "",
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
}

const isList = ({ listName }: Shape, reply: unknown): boolean =>
  Array.isArray(listName === "" ? reply : Reflect.get(Object(reply), listName))

/** Changes the records of a list by one function, and any other reply by another. */
const changed =
  (
    { listName }: Shape,
    list: (records: readonly object[]) => readonly object[],
    other: (reply: object) => unknown = (reply) => reply,
  ) =>
  (reply: unknown) => {
    if (listName === "") return Array.isArray(reply) ? list(reply) : other(Object(reply))
    const records = Reflect.get(Object(reply), listName)
    return Array.isArray(records) ? { ...Object(reply), [listName]: list(records) } : other(Object(reply))
  }

/** All faults that a simulated vendor can have. */
export const faultsOf = (provider: VendorName): Readonly<Record<string, VendorFault>> => ({
  ...TRANSPORT_FAULTS,
  ...(VENDORS[provider].access === "oauth" && REFUSALS),
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
    transform: (reply) => (isList(shape, reply) ? { items: [] } : {}),
  }),
  "pages in a circle": after({
    kind: "transform",
    transform: (reply) =>
      isList(shape, reply) && !Array.isArray(reply) ? { ...Object(reply), next_token: "again" } : reply,
  }),
  "records twice": after({ kind: "transform", transform: changed(shape, (records) => [...records, ...records]) }),
  "a record missing": lie(changed(shape, (records) => records.slice(1))),
  "empty lists": lie(changed(shape, () => [])),
})
