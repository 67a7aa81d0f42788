/**
 * Base class of every error that a call of the client throws.
 * One exception: an aborted call throws the reason of its signal, as `fetch` does.
 */
export abstract class HealthApiError extends Error {
  /** A stable code for programs: the `error` field of the body, or a code of the client when there was no such body. */
  abstract readonly code: string
  /** The HTTP status; null when no response arrived. */
  abstract readonly status: number | null
}
