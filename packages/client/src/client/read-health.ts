import type { z } from "zod"
import type { HealthType } from "../rest/query.ts"
import { withSignals } from "./abort.ts"
import { type DateRange, healthUrl } from "./date-range.ts"
import type { Answer } from "./health-client.ts"
import { parseBody } from "./parse-body.ts"
import { readQuota } from "./quota.ts"
import { readError } from "./read-error.ts"
import type { ResponseCache } from "./response-cache.ts"
import { withRetries } from "./retry.ts"
import { send } from "./send.ts"
import type { Settings } from "./settings.ts"

/** Shared by all calls of one client. */
interface ReadContext {
  readonly settings: Settings
  readonly cache: ResponseCache
}

interface Call<T> {
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal | undefined
}
interface ReadRequest<T> extends Call<T> {
  readonly type: HealthType | "journal"
  readonly range?: DateRange | undefined
}

/** Reads one type of health data. */
export const readHealth = <T>(context: ReadContext, request: ReadRequest<T>): Promise<Answer<T>> =>
  readUrl(context, healthUrl(context.settings.baseUrl, request.type, request.range ?? {}), request)

/** Reads one address: sends the request, retries temporary failures, and returns the cached body on a 304. */
export async function readUrl<T>({ settings, cache }: ReadContext, url: string, request: Call<T>): Promise<Answer<T>> {
  const cached = cache.get(url)

  const attempt = async (signal: AbortSignal) => {
    const response = await send(settings, { url, etag: cached?.etag, signal })
    const quota = readQuota(response.headers)
    if (quota !== null) settings.onQuota(quota)
    if (response.status === 304 && cached !== undefined) return { body: { status: 304, text: cached.text }, quota }
    if (response.status === 200) return { body: response, quota, etag: response.headers.get("etag") }
    throw readError(response)
  }
  const { body, quota, etag } = await withSignals([settings.signal, request.signal], ({ signal }) =>
    withRetries(settings, signal, () => attempt(signal)),
  )

  const data = parseBody(request.schema, body)
  if (etag) cache.set(url, { etag, text: body.text })
  return { data, quota, notModified: body.status === 304 }
}
