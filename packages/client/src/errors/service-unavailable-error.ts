import { HealthApiError } from "./health-api-error.ts"

/** Nobody can answer right now: the service says so (503 `unavailable`), or a proxy in front of it does (429, 502, 503, 504). */
export class ServiceUnavailableError extends HealthApiError {
  override readonly name = "ServiceUnavailableError"
  readonly code = "unavailable"
  readonly status: number
  /** What `Retry-After` asked for, seconds; null when it was not sent. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, details: { status: number; retryAfterSeconds: number | null }, options?: ErrorOptions) {
    super(message, options)
    this.status = details.status
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}
