import { NetworkError } from "./network-error.ts"

/** No complete response within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  override readonly name = "TimeoutError"
  override readonly code = "timeout"
}
