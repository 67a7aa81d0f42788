// The preference `wait` of a request: the answer may come later, with what is still missing. RFC 7240
import { SECOND_MS } from "@restwell/client/time-units"
import type { AwaitScore, HealthReadRequest } from "@restwell/core"
import { waitInRealTime } from "../../process/wait.ts"
import type { Call } from "../plumbing/endpoint.ts"
import type { Readiness } from "../plumbing/readiness.ts"

/** Most proxies close after a minute or more without a byte. */
export const LONGEST_WAIT_SECONDS = 60

/** What stands between commas that are not within a quoted text. */
const PREFERENCES = /(?:"(?:[^"\\]|\\.)*"|[^,"])+/g

/**
 * Seconds of the preference `wait`, at most the longest wait. Undefined without it, and for a value that is none: what is not understood is
 * ignored, and of several the first one counts. RFC 7240 2 and 4.3
 */
function waitOf(header: string): number | undefined {
  const preferences = header.match(PREFERENCES) ?? []
  const first = preferences.find((preference) => /^\s*wait\s*(?:[=;]|$)/i.test(preference)) ?? ""
  const [, quoted, plain] = /^\s*wait\s*=\s*(?:"(\d{1,9})"|(\d{1,9}))\s*(?:;|$)/i.exec(first) ?? []
  const seconds = Number(quoted ?? plain ?? 0)
  return seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : undefined
}

export interface WaitServices {
  readonly awaitScore: AwaitScore
  readonly readiness: Pick<Readiness, "draining">
}

/**
 * Waits for the score of today as long as the request prefers, until the client leaves or this process stops. The response says so. Returns
 * whether the client is still there.
 */
export async function waitAsPreferred(
  { awaitScore, readiness }: WaitServices,
  read: HealthReadRequest,
  { request, reply }: Call,
): Promise<boolean> {
  const seconds = waitOf([request.headers["prefer"] ?? []].flat().join())
  if (seconds === undefined) return true
  const ended = new AbortController()
  const end = (): void => ended.abort()
  // A client that is gone already gets no event.
  if (reply.raw.closed) end()
  else reply.raw.once("close", end)
  waitInRealTime(seconds * SECOND_MS, ended.signal).then(end, end)
  try {
    const hasWaited = await awaitScore(read, AbortSignal.any([ended.signal, readiness.draining]))
    if (hasWaited) reply.header("preference-applied", `wait=${seconds}`)
    return !reply.raw.closed
  } finally {
    reply.raw.off("close", end)
    end()
  }
}
