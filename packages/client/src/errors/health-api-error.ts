/**
 * What every failed call of the client throws, in one of its subclasses.
 * The one exception: a call whose `AbortSignal` fired throws that signal's reason, as `fetch` does.
 */
export abstract class HealthApiError extends Error {
  /** A stable code for programs: the `error` field of the body, or the client's own word where there was no such body. */
  abstract readonly code: string
  /** The HTTP status; null when no answer arrived. */
  abstract readonly status: number | null
}
