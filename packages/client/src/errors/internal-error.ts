import { HealthApiError } from "./health-api-error.ts"

/** 500 `internal_error`: a fault on the service's side. */
export class InternalError extends HealthApiError {
  override readonly name = "InternalError"
  readonly code = "internal_error"
  readonly status = 500
  /** The service's name for this request: say it when you report the fault. */
  readonly requestId: string

  constructor(message: string, requestId: string, options?: ErrorOptions) {
    super(message, options)
    this.requestId = requestId
  }
}
