import { sql } from "kysely"
import { microBatch } from "../batch/micro-batch.ts"
import { todayAt } from "../calendar/days.ts"
import type { Context } from "../context/context.ts"
import { hashOfOauthId } from "../oauth/oauth-records.ts"
import { type HealthScope, isHealthScope } from "./health-scopes.ts"

/** Who asks with an access token, for whom, and what of it they may read. */
export interface AssistantAccess {
  readonly userId: string
  readonly clientId: string
  readonly assistant: string
  /** What the token carries. */
  readonly tokenScopes: readonly string[]
  /** What it may read now: the token's scopes that the person still allows. */
  readonly scopes: readonly HealthScope[]
  /** Asked for, and declined by the person. */
  readonly declined: readonly HealthScope[]
  /** How many dates back it may read; null for all. */
  readonly days: number | null
  /** The person's date of today. */
  readonly today: string
  readonly expiresAt: Date
}

interface AccessRow {
  /** Of the token among those that were asked about, from 1. */
  readonly position: string
  readonly user_id: string
  readonly client_id: string
  readonly scope: string | null
  readonly expires_at: Date
  readonly name: string
  readonly scopes: string[]
  readonly declined: string[]
  readonly days: number | null
  readonly utc_offset_minutes: number | null
  readonly time_zone: string | null
}

/** An access token lives an hour. One that would live longer than this was issued by a clock that was ahead, and would be good for as long. */
const LONGEST_LIFE_MS = 86_400_000

/** What an access token opens; undefined for none that is good. */
export type OpenAccessToken = (token: string) => Promise<AssistantAccess | undefined>

/**
 * Looks access tokens up: one that is unknown, at its end, for another resource (RFC 8707), or whose grant, assistant or person is gone opens
 * nothing. At every request, so that what is revoked is dead at once on every replica; those of the same moment in one query.
 */
export function createTokenOpener(context: Pick<Context, "database" | "clock">, resource: string): OpenAccessToken {
  const open = microBatch((tokens: readonly string[]) => openAll(context, resource, tokens))
  return async (token) => (await open(token)) ?? undefined
}

async function openAll(
  { database, clock }: Pick<Context, "database" | "clock">,
  resource: string,
  tokens: readonly string[],
): Promise<(AssistantAccess | null)[]> {
  const now = clock.now()
  const latestEnd = new Date(now.getTime() + LONGEST_LIFE_MS)
  const hashes = tokens.map((token) => hashOfOauthId("AccessToken", token))
  const { rows } = await sql<AccessRow>`
    select asked.position, t.user_id, t.client_id, t.payload ->> 'scope' as scope, t.expires_at,
           a.name, a.scopes, a.declined, a.days, p.utc_offset_minutes, p.time_zone
    from unnest(${hashes}::bytea[]) with ordinality as asked(id_hash, position)
    join restwell.oauth_record t on t.id_hash = asked.id_hash and t.kind = 'AccessToken'
    join restwell.oauth_record g on g.id_hash = t.grant_hash and g.kind = 'Grant'
    join restwell.assistant a on a.user_id = t.user_id and a.client_id = t.client_id
    join restwell.person p on p.user_id = t.user_id
    where t.expires_at > ${now} and t.expires_at < ${latestEnd} and t.payload ->> 'aud' = ${resource}
  `.execute(database)
  const found = new Map(rows.map((row) => [Number(row.position) - 1, accessOf(row, now)]))
  return tokens.map((_, index) => found.get(index) ?? null)
}

function accessOf(row: AccessRow, now: Date): AssistantAccess {
  const tokenScopes = (row.scope ?? "").split(" ").filter((scope) => scope !== "")
  return {
    userId: row.user_id,
    clientId: row.client_id,
    assistant: row.name,
    tokenScopes,
    scopes: row.scopes.filter(isHealthScope).filter((scope) => tokenScopes.includes(scope)),
    declined: row.declined.filter(isHealthScope),
    days: row.days,
    today: todayAt({ utcOffsetMinutes: row.utc_offset_minutes, timeZone: row.time_zone }, now),
    expiresAt: row.expires_at,
  }
}
