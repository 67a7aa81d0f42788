import { HealthApiError } from "./health-api-error.ts"

/** 404 `not_found`: no health provider is connected. Connect one in the dashboard. Spec 7. */
export class NotFoundError extends HealthApiError {
  override readonly name = "NotFoundError"
  readonly code = "not_found"
  readonly status = 404
}
