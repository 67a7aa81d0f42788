import { HealthApiError } from "./health-api-error.ts"

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
