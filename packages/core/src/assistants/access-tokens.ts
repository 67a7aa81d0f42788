import type { DisplayPreferences } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { Pool } from "pg"
import { batchCalls } from "../base/batch.ts"
import { clockIn, todayIn } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { displayPreferences, type StoredPreferences } from "../people/people.ts"
import { runStatement } from "../store/pool.ts"
import { hashOfOauthId } from "./oauth-records.ts"
import { type HealthScope, isHealthScope } from "./scopes.ts"

/** An assistant's access to one person's data. */
export interface AssistantAccess {
  readonly userId: string
  readonly clientId: string
  readonly assistant: string
  /** The token's scopes. */
  readonly tokenScopes: readonly string[]
  /** The token's scopes that the person still allows. */
  readonly scopes: readonly HealthScope[]
  /** Scopes the assistant requested and the person declined. */
  readonly declined: readonly HealthScope[]
  /** Number of newest dates it may read. Null for all. */
  readonly days: number | null
  /** The person's local date. */
  readonly today: string
  /** The person's local clock, as in 02:18. */
  readonly localTime: string
  /** How the person reads figures and clock times. */
  readonly preferences: DisplayPreferences
  readonly expiresAt: Date
}

interface AccessRow
  extends Pick<AssistantAccess, "userId" | "clientId" | "assistant" | "days" | "expiresAt">,
    StoredPreferences {
  /** Position of the token in the batch, from 1. */
  readonly position: string
  readonly tokenScope: string | null
  readonly scopes: string[]
  readonly declined: string[]
  readonly utcOffsetMinutes: number | null
  readonly timeZone: string | null
}

/** Access tokens live a day at most. An expiry more than two days ahead was set by a wrong clock, and such a token is refused. */
const MAX_LIFETIME_MS = 2 * DAY_MS

/** The access a token gives. Undefined if the token is not valid. */
export type OpenAccessToken = (token: string) => Promise<AssistantAccess | undefined>

/**
 * Checks access tokens. A token is refused if it is unknown, expired, for another resource (RFC 8707), or if its grant, assistant
 * or person is gone. Each request checks again, so revocation acts at once on every replica. Tokens of one
 * moment share a query.
 */
export function createTokenOpener(reading: Reading, resource: string): OpenAccessToken {
  const open = batchCalls((tokens: readonly string[]) => openAll(reading, resource, tokens))
  return async (token) => (await open(token)) ?? undefined
}

interface Reading {
  /** Connections that keep the statement prepared. */
  readonly pool: Pool
  readonly clock: Context["clock"]
}

/** The hash that an access token is stored under, in hex. */
const hashOfAccessToken = (token: string): string => hashOfOauthId("AccessToken", token).toString("hex")

/**
 * What each access token of a batch gives. A token without a row is not valid.
 * $1 hashes of the tokens in hex, $2 time, $3 latest expiry that is believed, $4 resource
 */
const OPEN_ACCESS_TOKENS = {
  name: "open-access-tokens",
  text: `
    select batch.position, t.user_id as "userId", t.client_id as "clientId", t.payload ->> 'scope' as "tokenScope",
      t.expires_at as "expiresAt", a.name as assistant, a.scopes, a.declined, a.days,
      p.utc_offset_minutes as "utcOffsetMinutes", p.time_zone as "timeZone",
      p.units, p.clock, p.first_weekday
    from unnest($1::text[]) with ordinality as batch(token_hash, position)
    join restwell.oauth_record t on t.id_hash = decode(batch.token_hash, 'hex') and t.kind = 'AccessToken'
    join restwell.oauth_record g on g.id_hash = t.grant_hash and g.kind = 'Grant'
    join restwell.assistant a on a.user_id = t.user_id and a.client_id = t.client_id
    join restwell.person p on p.user_id = t.user_id
    where t.expires_at > $2 and t.expires_at < $3 and t.payload ->> 'aud' = $4`,
}

async function openAll(
  { pool, clock }: Reading,
  resource: string,
  tokens: readonly string[],
): Promise<(AssistantAccess | null)[]> {
  const now = clock.now()
  const latestExpiry = new Date(now.getTime() + MAX_LIFETIME_MS)
  const hashes = tokens.map(hashOfAccessToken)
  const values = [hashes, now, latestExpiry, resource]
  const { rows } = await runStatement<AccessRow>(pool, OPEN_ACCESS_TOKENS, values)
  const found = new Map(rows.map(({ position, ...row }) => [Number(position) - 1, accessOf(row, now)]))
  return tokens.map((_, index) => found.get(index) ?? null)
}

function accessOf(
  { tokenScope, utcOffsetMinutes, timeZone, units, clock, first_weekday, ...row }: Omit<AccessRow, "position">,
  now: Date,
): AssistantAccess {
  const tokenScopes = (tokenScope ?? "").split(" ").filter((scope) => scope !== "")
  return {
    ...row,
    tokenScopes,
    scopes: row.scopes.filter(isHealthScope).filter((scope) => tokenScopes.includes(scope)),
    declined: row.declined.filter(isHealthScope),
    today: todayIn({ utcOffsetMinutes, timeZone }, now),
    localTime: clockIn({ utcOffsetMinutes, timeZone }, now),
    preferences: displayPreferences({ units, clock, first_weekday }),
  }
}
