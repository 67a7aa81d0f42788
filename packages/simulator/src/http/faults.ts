/** Faults as JSON. A regular expression is sent as its source; `transform` and `rewrite` are code and cannot be sent. */
import { randomFor } from "../model/random.ts"

/** Kinds that JSON can describe. */
const PLAIN_FAULT_KINDS = [
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
] as const

export type FaultKind = (typeof PLAIN_FAULT_KINDS)[number] | "transform" | "rewrite"

export interface FaultMatch {
  readonly method?: string
  /** A text matches the beginning of the path. */
  readonly path?: string | RegExp
  /** User id of the person whose token the request carries. */
  readonly personId?: number
}

export interface Fault {
  readonly match?: FaultMatch
  readonly kind: FaultKind
  /** Number of requests it affects; all when absent. */
  readonly times?: number
  /** Share of matching requests it affects, 0 to 1; drawn from the seed. @default 1 */
  readonly probability?: number
  /** Status of `status` and `html`. @default 500 for `status`, 200 for `html` */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Delay of `latency` and `late_reply`, real milliseconds. @default 1000 */
  readonly ms?: number
  /** Returns the JSON reply of `transform`: changed schemas, endless pages, duplicates. */
  readonly transform?: (reply: unknown, path: string) => unknown
  /** Returns the text of `rewrite`, sent as it is: JSON that no object can hold, such as `1e400`, or no JSON. */
  readonly rewrite?: (reply: string, path: string) => string
}

/** A request, as far as faults can match it. */
interface FaultTarget {
  readonly method: string
  readonly path: string
  readonly personId: number | undefined
}

export class Faults {
  readonly #seed: string
  #active: { fault: Fault; left: number; seen: number }[] = []

  constructor(seed: string) {
    this.#seed = seed
  }

  /** Adds a fault. Of several that match, the oldest applies. Returns a function that removes it. */
  add(fault: Fault): () => void {
    const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY, seen: 0 }
    this.#active.push(entry)
    return () => {
      this.#active = this.#active.filter((other) => other !== entry)
    }
  }

  clear(): void {
    this.#active = []
  }

  list(): { fault: Fault; timesLeft: number | null }[] {
    return this.#active.map(({ fault, left }) => ({ fault, timesLeft: Number.isFinite(left) ? left : null }))
  }

  /** Returns the fault of a request and counts it as used once. */
  take(target: FaultTarget): Fault | undefined {
    for (const entry of this.#active) {
      if (entry.left < 1 || !matches(entry.fault.match ?? {}, target)) continue
      const { probability = 1, kind } = entry.fault
      if (!randomFor(this.#seed, "fault", kind, entry.seen++).chance(probability)) continue
      entry.left--
      this.#active = this.#active.filter(({ left }) => left > 0)
      return entry.fault
    }
    return undefined
  }
}

/** Whether a request has the method, path and person that are given. */
export function matches({ method, path, personId }: FaultMatch, target: FaultTarget): boolean {
  if (method !== undefined && method.toUpperCase() !== target.method) return false
  if (personId !== undefined && personId !== target.personId) return false
  if (path === undefined) return true
  return typeof path === "string"
    ? target.path.startsWith(path)
    : new RegExp(path.source, path.flags.replace(/[gy]/g, "")).test(target.path)
}

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
