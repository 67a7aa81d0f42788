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

interface Listed {
  readonly records: readonly object[]
}

const isListed = (reply: unknown): reply is Listed =>
  typeof reply === "object" && reply !== null && "records" in reply && Array.isArray(reply.records)

/** Changes a list by one function, and any other reply by another. */
const changed =
  (list: (list: Listed) => unknown, other: (reply: object) => unknown = (reply) => reply) =>
  (reply: unknown) =>
    isListed(reply) ? list(reply) : other(Object(reply))

const mangle = (record: object) => ({ ...record, created_at: 7, updated_at: "soon" })

/** All faults that the simulated vendor can have. */
export const VENDOR_FAULTS: Readonly<Record<string, VendorFault>> = {
  latency: before({ kind: "latency", ms: 40 }),
  "status 400": before({ kind: "status", status: 400 }),
  "status 401": before({ kind: "status", status: 401 }),
  "status 403": before({ kind: "status", status: 403 }),
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
  "records of another shape": lie(changed((list) => ({ ...list, records: list.records.map(mangle) }), mangle)),
  "a list of another shape": after({
    kind: "transform",
    transform: changed(
      () => ({ items: [] }),
      () => ({}),
    ),
  }),
  "pages in a circle": after({ kind: "transform", transform: changed((list) => ({ ...list, next_token: "again" })) }),
  "records twice": after({
    kind: "transform",
    transform: changed((list) => ({ ...list, records: [...list.records, ...list.records] })),
  }),
  "a record missing": lie(changed((list) => ({ ...list, records: list.records.slice(1) }))),
  "empty lists": lie(changed(() => ({ records: [] }))),
}
