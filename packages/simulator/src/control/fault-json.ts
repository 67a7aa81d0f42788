/** Faults as JSON. A regular expression is sent as its source; `transform` and `rewrite` are code and cannot be sent. */
import { type Fault, PLAIN_FAULT_KINDS } from "../faults/faults.ts"

export interface FaultJson extends Omit<Fault, "match" | "transform" | "rewrite"> {
  readonly match?: {
    readonly method?: string
    readonly path?: string
    /** Source of a regular expression, in place of `path`. */
    readonly pathPattern?: string
    readonly personId?: number
  }
}

export function parseFault({ match = {}, ...fault }: FaultJson): Fault {
  if (!PLAIN_FAULT_KINDS.some((kind) => kind === fault.kind))
    throw new RangeError(`kind must be one of ${PLAIN_FAULT_KINDS.join(", ")}`)
  const { pathPattern, ...rest } = match
  return { ...fault, match: pathPattern === undefined ? rest : { ...rest, path: new RegExp(pathPattern) } }
}

export function presentFault({ match = {}, transform: _transform, rewrite: _rewrite, ...fault }: Fault): FaultJson {
  const { path, ...rest } = match
  if (path === undefined) return { ...fault, match: rest }
  return { ...fault, match: { ...rest, ...(typeof path === "string" ? { path } : { pathPattern: path.source }) } }
}
