import { HealthApiError } from "./health-api-error.ts"

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
