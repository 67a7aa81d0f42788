import { HealthApiError } from "./health-api-error.ts"

/** No complete response: no connection, unknown host, or connection lost. `cause` says which. */
export class NetworkError extends HealthApiError {
  override readonly name: string = "NetworkError"
  readonly code: "network_error" | "timeout" = "network_error"
  readonly status = null
}
