/** The monthly request quota, as the `X-RateLimit-*` headers of a response give it. Spec 8. */
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
