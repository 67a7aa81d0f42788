import { HealthApiError } from "./health-api-error.ts"

/** 401 `unauthorized`: the API key is wrong or was replaced. Create a new one in the dashboard. Spec 7. */
export class UnauthorizedError extends HealthApiError {
  override readonly name = "UnauthorizedError"
  readonly code = "unauthorized"
  readonly status = 401
}
