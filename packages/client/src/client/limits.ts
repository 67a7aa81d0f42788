/** The monthly request quota, as the `X-RateLimit-*` headers of a response give it. */
export interface Quota {
  /** Requests in a month. */
  readonly limit: number
  /** Requests left this month. */
  readonly remaining: number
  /** When the quota resets. */
  readonly reset: Date
}

/** Returns the quota in the headers; null when a proxy or a browser's CORS rules hide them. */
export function readQuota(headers: Headers): Quota | null {
  const limit = readCount(headers.get("x-ratelimit-limit"))
  const remaining = readCount(headers.get("x-ratelimit-remaining"))
  const reset = readInstant(headers.get("x-ratelimit-reset") ?? "")
  if (limit === null || remaining === null || reset === null) return null
  return { limit, remaining, reset }
}

/** Returns the instant of an ISO 8601 text; null when the text is anything else. */
export function readInstant(text: string): Date | null {
  const instant = /^\d{4}-\d{2}-\d{2}T/.test(text) ? new Date(text) : null
  return instant === null || Number.isNaN(instant.getTime()) ? null : instant
}

function readCount(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns the wait that `Retry-After` asks for, seconds; null when it is missing or malformed.
 * A date is measured against the response's own `Date`, so that a wrong local clock does not matter. RFC 9110 10.2.3.
 */
export function readRetryAfterSeconds(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const retryAt = readHttpDate(text)
  const respondedAt = readHttpDate(headers.get("date") ?? "")
  if (retryAt === null || respondedAt === null) return null
  return Math.max(0, (retryAt - respondedAt) / 1000)
}

function readHttpDate(text: string): number | null {
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(milliseconds) ? null : milliseconds
}
