// The one call of Ultrahuman's personal API: everything of a date. https://vision.ultrahuman.com/developer-docs
//
// The token is the whole `Authorization` header, without the word Bearer. An email is never sent: it asks for another person's data.
import { AccessTokenRejected, RateLimited, RequestRefused, VendorUnavailable } from "../contract/errors.ts"
import type { Json } from "../contract/records.ts"
import type { VendorClient } from "../http/vendor-client.ts"
import { parseWhole } from "../normalize/read-records.ts"
import { jsonTextOf } from "../normalize/storable-text.ts"
import { WINDOW_SECONDS } from "./sync-policy.ts"
import { UltrahumanAnswerSchema, UltrahumanEntrySchema, UltrahumanErrorSchema } from "./wire.ts"

const METRICS = "/api/v1/partner/daily_metrics"
const OPERATION = `GET ${METRICS}`

/** One person's access. */
export interface UltrahumanAccess {
  readonly client: VendorClient
  readonly accessToken: string
  /** Calls that have no answer yet, by date: everything of a date comes with one call, whoever asks for a part of it. */
  readonly inFlight: Map<string, Promise<UltrahumanDay>>
}

export interface UltrahumanEntry {
  /** In lower case. */
  readonly type: string
  readonly object: Readonly<Record<string, Json>>
}

/** Everything of a date. */
export interface UltrahumanDay {
  readonly date: string
  /** The person's time zone when it was asked, not on the date. Undefined where the vendor names none. */
  readonly zone: string | undefined
  readonly entries: readonly UltrahumanEntry[]
}

/** Returns everything of a date. @throws {AccessTokenRejected} for a token that is not accepted */
export function getDay(access: UltrahumanAccess, date: string): Promise<UltrahumanDay> {
  const { inFlight, accessToken } = access
  const key = `${date} ${accessToken}`
  const pending = inFlight.get(key)
  if (pending) return pending
  const call = readDay(access, date).finally(() => inFlight.delete(key))
  inFlight.set(key, call)
  return call
}

async function readDay({ client, accessToken }: UltrahumanAccess, date: string): Promise<UltrahumanDay> {
  const body = await client.read({ path: METRICS, query: { date }, accessToken }).catch((error: unknown) => {
    // A bad token is refused with 401 or 403, and a good one has all rights.
    if (error instanceof RequestRefused && error.isForbidden)
      throw new AccessTokenRejected(error.message, { cause: error })
    throw error
  })
  if (body === undefined) throw new RequestRefused(`${OPERATION} answered 404`)
  refuseError(body)
  const { data } = parseWhole(UltrahumanAnswerSchema, body, OPERATION)
  const list = data?.metrics?.[date] ?? data?.metric_data ?? []
  return {
    date,
    zone: data?.latest_time_zone ?? undefined,
    entries: list.flatMap((entry) => UltrahumanEntrySchema.safeParse(entry).data ?? []),
  }
}

/** An answer with status 200 may be a refusal, with the real status or a text inside. */
function refuseError(body: Json): void {
  const refusal = UltrahumanErrorSchema.safeParse(body).data
  if (!refusal) return
  const text = typeof refusal.error === "string" ? refusal.error : jsonTextOf(refusal.error)
  const status = Number(refusal.status)
  const message = `${OPERATION} answered 200 with an error inside`
  // Errors of other kinds may speak of tokens too, such as "Unexpected token in upstream response".
  const isKeyRefused =
    status >= 400
      ? status === 401 || status === 403
      : /\b(?:token|unauthori[sz]ed|forbidden|shared access)\b/i.test(text)
  if (isKeyRefused) throw new AccessTokenRejected(message)
  if (status === 429) throw new RateLimited(message, WINDOW_SECONDS)
  if (status >= 400 && status < 500) throw new RequestRefused(message)
  throw new VendorUnavailable(message)
}
