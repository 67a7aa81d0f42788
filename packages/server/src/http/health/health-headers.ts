import type { Quota } from "@restwell/core"

export const JSON_TYPE = "application/json; charset=utf-8"

/** Clients are advised to cache for 15 to 30 minutes. Spec 8. */
const CACHE_CONTROL = "private, max-age=900"

/** The month's quota. Spec 8. */
export const quotaHeaders = ({ limit, remaining, reset }: Quota) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": reset.toISOString(),
})

/** The headers of an answer with data, and of one that is unchanged. */
export const readingHeaders = (etag: string, cacheControl = CACHE_CONTROL) => ({
  "cache-control": cacheControl,
  etag,
  vary: "Authorization",
})

/** The tags of If-None-Match, compared weakly. RFC 9110 13.1.2. */
export const entityTagsOf = (header: string | undefined): string[] =>
  header === undefined ? [] : header.trim() === "*" ? ["*"] : [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag)
