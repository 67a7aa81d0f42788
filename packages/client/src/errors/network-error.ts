import { HealthApiError } from "./health-api-error.ts"

/** No answer, or only a part of one: no connection, no such host, connection lost. `cause` says which. */
export class NetworkError extends HealthApiError {
  override readonly name: string = "NetworkError"
  readonly code: "network_error" | "timeout" = "network_error"
  readonly status = null
}
