/** Faults as JSON. A regular expression is sent as its source; `transform` is code and cannot be sent. */
import type { Fault, FaultKind } from "../faults/faults.ts"

export interface FaultJson extends Omit<Fault, "match" | "transform"> {
  readonly match?: {
    readonly method?: string
    readonly path?: string
    /** Source of a regular expression, in place of `path`. */
    readonly pathPattern?: string
    readonly personId?: number
  }
}

const KINDS: readonly FaultKind[] = [
  "latency",
  "late_reply",
  "status",
  "rate_limit",
  "hang",
  "malformed_json",
  "truncated_json",
  "cut_body",
  "html",
  "reset_connection",
  "drop_reply_after_effect",
]

export function parseFault({ match = {}, ...fault }: FaultJson): Fault {
  if (!KINDS.includes(fault.kind)) throw new RangeError(`kind must be one of ${KINDS.join(", ")}`)
  const { pathPattern, ...rest } = match
  return { ...fault, match: pathPattern === undefined ? rest : { ...rest, path: new RegExp(pathPattern) } }
}

export function presentFault({ match = {}, transform: _transform, ...fault }: Fault): FaultJson {
  const { path, ...rest } = match
  if (path === undefined) return { ...fault, match: rest }
  return { ...fault, match: { ...rest, ...(typeof path === "string" ? { path } : { pathPattern: path.source }) } }
}
