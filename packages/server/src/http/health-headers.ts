import type { Quota } from "@restwell/core"

export const JSON_TYPE = "application/json; charset=utf-8"

/** Clients are advised to cache for 15 to 30 minutes. Spec 8. */
const CACHE_CONTROL = "private, max-age=900"

/** Names and values in turn, as Node.js writes them fastest. Spec 8. */
export const quotaHeaders = ({ limit, remaining, reset }: Quota): string[] => [
  "x-ratelimit-limit",
  String(limit),
  "x-ratelimit-remaining",
  String(remaining),
  "x-ratelimit-reset",
  reset.toISOString(),
]

/** Of an answer with data, and of one that says that nothing has changed. @param cacheControl of a session's reads: no-store */
export const headersOfReading = (etag: string, cacheControl = CACHE_CONTROL): string[] => [
  "cache-control",
  cacheControl,
  "etag",
  etag,
  "vary",
  "Authorization",
]

/** The tags of If-None-Match, compared weakly. RFC 9110 13.1.2. */
export const entityTagsOf = (header: string | undefined): string[] =>
  header === undefined ? [] : header.trim() === "*" ? ["*"] : [...header.matchAll(/"[^"]*"/g)].map(([tag]) => tag)
