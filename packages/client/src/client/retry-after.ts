const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Returns how long `Retry-After` asks to wait, seconds; null when it was not sent or cannot be read.
 * A date is measured against the answer's own `Date`, so that a wrong clock on this side does not matter. RFC 9110 10.2.3.
 */
export function readRetryAfterSeconds(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const retryAt = readHttpDate(text)
  const answeredAt = readHttpDate(headers.get("date") ?? "")
  if (retryAt === null || answeredAt === null) return null
  return Math.max(0, (retryAt - answeredAt) / 1000)
}

function readHttpDate(text: string): number | null {
  const milliseconds = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(milliseconds) ? null : milliseconds
}
