import { HealthApiError } from "./health-api-error.ts"

/** 429 `rate_limited`: the monthly quota is used up. Spec 7. */
export class RateLimitedError extends HealthApiError {
  override readonly name = "RateLimitedError"
  readonly code = "rate_limited"
  readonly status = 429
  /** Requests in a month. */
  readonly limit: number
  /** When the quota resets. */
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
