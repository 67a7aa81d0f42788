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
