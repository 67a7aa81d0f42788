import { type FaultMatch, matches } from "./faults.ts"

/** One request to the simulated vendor. */
export interface LoggedRequest {
  /** Simulated time. */
  readonly at: string
  readonly method: string
  /** With the call's name after it, where several calls share an address. */
  path: string
  /** Of the address, or of a form that asks for data. */
  query: string
  /** User id behind the request's token or code, if any. */
  personId: number | undefined
  /** `grant_type` of a request to the token endpoint. */
  grantType?: string
  /** Absent while the request is in progress, and after a broken connection. */
  status?: number
  /** Kind of the fault that was applied. */
  fault?: string
}

interface RequestFilter extends FaultMatch {
  readonly status?: number
  readonly grantType?: string
}

export class RequestLog {
  #entries: LoggedRequest[] = []

  get entries(): readonly LoggedRequest[] {
    return this.#entries
  }

  add(entry: LoggedRequest): void {
    this.#entries.push(entry)
  }

  clear(): void {
    this.#entries = []
  }

  filter(filter: RequestFilter): LoggedRequest[] {
    return this.#entries.filter((entry) => fits(entry, filter))
  }

  count(filter: RequestFilter = {}): number {
    return this.filter(filter).length
  }

  /** Counts the calls, by kind and by status. */
  counters(): { total: number; refreshes: number; codeExchanges: number; byStatus: Record<string, number> } {
    const byStatus: Record<string, number> = {}
    for (const { status } of this.#entries) {
      const name = String(status ?? "none")
      byStatus[name] = (byStatus[name] ?? 0) + 1
    }
    return {
      total: this.#entries.length,
      refreshes: this.count({ grantType: "refresh_token" }),
      codeExchanges: this.count({ grantType: "authorization_code" }),
      byStatus,
    }
  }
}

function fits(entry: LoggedRequest, { status, grantType, ...match }: RequestFilter): boolean {
  if (status !== undefined && status !== entry.status) return false
  if (grantType !== undefined && grantType !== entry.grantType) return false
  return matches(match, entry)
}
