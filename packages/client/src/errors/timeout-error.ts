import { NetworkError } from "./network-error.ts"

/** No whole answer within `timeoutMs`. */
export class TimeoutError extends NetworkError {
  override readonly name = "TimeoutError"
  override readonly code = "timeout"
}
