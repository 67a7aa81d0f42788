import { HealthApiError } from "./health-api-error.ts"

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
