/** Faults as JSON: a regular expression travels as its source. `transform` is code and does not travel. */
import type { Fault, FaultKind } from "../faults/faults.ts"

export interface WrittenFault extends Omit<Fault, "match" | "transform"> {
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

/** Returns the fault that a piece of JSON describes. */
export function faultFrom({ match = {}, ...written }: WrittenFault): Fault {
  if (!KINDS.includes(written.kind)) throw new RangeError(`kind is none of ${KINDS.join(", ")}`)
  const { pathPattern, ...rest } = match
  return { ...written, match: pathPattern === undefined ? rest : { ...rest, path: new RegExp(pathPattern) } }
}

export function writeFault({ match = {}, transform: _transform, ...fault }: Fault): WrittenFault {
  const { path, ...rest } = match
  if (path === undefined) return { ...fault, match: rest }
  return { ...fault, match: { ...rest, ...(typeof path === "string" ? { path } : { pathPattern: path.source }) } }
}
