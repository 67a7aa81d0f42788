import { HealthApiError } from "./health-api-error.ts"

/** An answer that is not the API's: another server behind `baseUrl`, a proxy's page, or a version this client does not know. */
export class UnexpectedResponseError extends HealthApiError {
  override readonly name = "UnexpectedResponseError"
  readonly code = "unexpected_response"
  readonly status: number
  /** Where in the body the first difference is, as `records.0.start`; empty when it is the body or the status as a whole. */
  readonly path: string

  constructor(message: string, details: { status: number; path: string }, options?: ErrorOptions) {
    super(message, options)
    this.status = details.status
    this.path = details.path
  }
}
