import type { z } from "zod"
import type { HealthType } from "../rest/query.ts"
import { followingSignals } from "./abort.ts"
import { type DateRange, healthUrl } from "./date-range.ts"
import type { Answer } from "./health-client.ts"
import { parseAnswer } from "./parse-body.ts"
import { readQuota } from "./quota.ts"
import { errorOfAnswer } from "./read-error.ts"
import type { AnswerCache } from "./response-cache.ts"
import { withRetries } from "./retry.ts"
import { send } from "./send.ts"
import type { Settings } from "./settings.ts"

/** What the calls of one client share. */
export interface ReadContext {
  readonly settings: Settings
  readonly keptAnswers: AnswerCache
}

export interface ReadRequest<T> {
  readonly type: HealthType
  readonly schema: z.ZodType<T>
  readonly range?: DateRange | undefined
  readonly signal?: AbortSignal | undefined
}

/** Reads one type once: asks, retries what is worth it, and hands out the kept body when the service confirms it by a 304. */
export async function readHealth<T>(context: ReadContext, request: ReadRequest<T>): Promise<Answer<T>> {
  const { settings, keptAnswers } = context
  const url = healthUrl(settings.baseUrl, request.type, request.range ?? {})
  const kept = keptAnswers.get(url)

  const attempt = async (signal: AbortSignal) => {
    const answer = await send(settings, { url, etag: kept?.etag, signal })
    const quota = readQuota(answer.headers)
    if (quota !== null) settings.onQuota(quota)
    if (answer.status === 304 && kept !== undefined) return { answer: { status: 304, text: kept.text }, quota }
    if (answer.status === 200) return { answer, quota, etag: answer.headers.get("etag") }
    throw errorOfAnswer(answer)
  }
  const { answer, quota, etag } = await followingSignals([settings.signal, request.signal], ({ signal }) =>
    withRetries(settings, signal, () => attempt(signal)),
  )

  const data = parseAnswer(request.schema, answer)
  if (etag) keptAnswers.set(url, { etag, text: answer.text })
  return { data, quota, notModified: answer.status === 304 }
}
