/** Requests that one stranger or person sends as often as possible, as plain data that is sent to a thread. */

export interface HostileRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT"
  /** `NUMBER` becomes a number that no other request of the kind has. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export interface Kind {
  readonly name: string
  /** In turn. */
  readonly requests: readonly HostileRequest[]
}

export interface Flood {
  readonly port: number
  readonly connections: number
  readonly requests: readonly HostileRequest[]
  readonly firstIndex: number
}

export interface Flooded {
  readonly statuses: Readonly<Record<string, number>>
  readonly nextIndex: number
}

export const get = (path: string, headers: HostileRequest["headers"] = {}): HostileRequest => ({
  method: "GET",
  path,
  headers,
})

export const post = (
  path: string,
  body: string | Uint8Array,
  headers: HostileRequest["headers"] = {},
): HostileRequest => ({ method: "POST", path, headers: { "content-type": "application/json", ...headers }, body })

export const postForm = (path: string, fields: Readonly<Record<string, string>>): HostileRequest =>
  post(path, new URLSearchParams(fields).toString(), { "content-type": "application/x-www-form-urlencoded" })

/** The same kind of request from one to the next. */
export const kind = (name: string, ...requests: readonly HostileRequest[]): Kind => ({ name, requests })
