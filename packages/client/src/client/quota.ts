/** The state of the month's requests as an answer's `X-RateLimit-*` headers tell it. Spec 8. */
export interface Quota {
  /** Requests in a month. */
  readonly limit: number
  /** Requests left this month. */
  readonly remaining: number
  /** When the next month's requests are there. */
  readonly reset: Date
}

/** Returns the quota an answer tells; null when it tells none, as when a proxy or a browser's CORS rules hide the headers. */
export function readQuota(headers: Headers): Quota | null {
  const limit = readCount(headers.get("x-ratelimit-limit"))
  const remaining = readCount(headers.get("x-ratelimit-remaining"))
  const reset = readInstant(headers.get("x-ratelimit-reset") ?? "")
  if (limit === null || remaining === null || reset === null) return null
  return { limit, remaining, reset }
}

/** Returns the instant an ISO 8601 text names; null when it names none. */
export function readInstant(text: string): Date | null {
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text) : null
  return instant === null || Number.isNaN(instant.getTime()) ? null : instant
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
