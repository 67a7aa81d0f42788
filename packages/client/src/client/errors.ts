/**
 * Base class of every error that a call of the client throws.
 * One exception: an aborted call throws the reason of its signal, as `fetch` does.
 */
export abstract class HealthApiError extends Error {
  /** A stable code for programs: the `error` field of the body, or a code of the client when there was no such body. */
  abstract readonly code: string
  /** The HTTP status; null when no response arrived. */
  abstract readonly status: number | null
}

/** 400 `invalid_request`: a parameter is invalid. Not counted against the quota. */
export class InvalidRequestError extends HealthApiError {
  override readonly name = "InvalidRequestError"
  readonly code = "invalid_request"
  readonly status = 400
  /** The invalid parameter, as the query spells it: `days`, `start_date`. */
  readonly field: string

  constructor(message: string, field: string, options?: ErrorOptions) {
    super(message, options)
    this.field = field
  }
}

/** 401 `unauthorized`: the API key is wrong or was replaced. Create a new one in the dashboard. */
export class UnauthorizedError extends HealthApiError {
  override readonly name = "UnauthorizedError"
  readonly code = "unauthorized"
  readonly status = 401
}

/** 403 `forbidden`: the API key opens a part of the data, and not what was asked for. Not counted against the quota. */
export class ForbiddenError extends HealthApiError {
  override readonly name = "ForbiddenError"
  readonly code = "forbidden"
  readonly status = 403
  /** The type of data that the key does not open; null where the dates are the reason. */
  readonly scope: string | null
  /** The oldest date that the key opens, where older ones were asked for, YYYY-MM-DD; null where the type is the reason. */
  readonly fromDate: string | null

  constructor(message: string, details: { scope: string | null; fromDate: string | null }, options?: ErrorOptions) {
    super(message, options)
    this.scope = details.scope
    this.fromDate = details.fromDate
  }
}

/** 404 `not_found`: no health provider is connected. Connect one in the dashboard. */
export class NotFoundError extends HealthApiError {
  override readonly name = "NotFoundError"
  readonly code = "not_found"
  readonly status = 404
}

/** 429 `rate_limited`: the monthly quota is used up, or too many expensive reads of the person run at a time. */
export class RateLimitedError extends HealthApiError {
  override readonly name = "RateLimitedError"
  readonly code = "rate_limited"
  readonly status = 429
  /** Requests in a month, or expensive reads at a time. */
  readonly limit: number
  /** When the quota resets, or when to try again. */
  readonly reset: Date
  /** The wait that `Retry-After` asks for, seconds; null when it was not sent. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    details: { limit: number; reset: Date; retryAfterSeconds: number | null },
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.limit = details.limit
    this.reset = details.reset
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** 500 `internal_error`: a fault on the service's side. */
export class InternalError extends HealthApiError {
  override readonly name = "InternalError"
  readonly code = "internal_error"
  readonly status = 500
  /** The id of the request in the service's log. Include it in a bug report. */
  readonly requestId: string

  constructor(message: string, requestId: string, options?: ErrorOptions) {
    super(message, options)
    this.requestId = requestId
  }
}

/** The service is unavailable: 503 `unavailable`, or a 429, 502, 503 or 504 from a proxy in front of it. */
export class ServiceUnavailableError extends HealthApiError {
  override readonly name = "ServiceUnavailableError"
  readonly code = "unavailable"
  readonly status: number
  /** The wait that `Retry-After` asks for, seconds; null when it was not sent. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, details: { status: number; retryAfterSeconds: number | null }, options?: ErrorOptions) {
    super(message, options)
    this.status = details.status
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** A response that is not from this API: another server at `baseUrl`, a proxy's page, or an unknown version. */
export class UnexpectedResponseError extends HealthApiError {
  override readonly name = "UnexpectedResponseError"
  readonly code = "unexpected_response"
  readonly status: number
  /** Path of the first difference in the body, such as `records.0.start`; empty for the whole body or the status. */
  readonly path: string

  constructor(message: string, details: { status: number; path: string }, options?: ErrorOptions) {
    super(message, options)
    this.status = details.status
    this.path = details.path
  }
}

/** No complete response: no connection, unknown host, or connection lost. `cause` says which. */
export class NetworkError extends HealthApiError {
  override readonly name: string = "NetworkError"
  readonly code: "network_error" | "timeout" = "network_error"
  readonly status = null
}

/** No complete response within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  override readonly name = "TimeoutError"
  override readonly code = "timeout"
}
