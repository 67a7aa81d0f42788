import { HealthApiError } from "./health-api-error.ts"

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
