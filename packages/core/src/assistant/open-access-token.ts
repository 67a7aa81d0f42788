import type { Pool } from "pg"
import { batchCalls } from "../batch/batch-calls.ts"
import { todayIn } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { hashOfOauthId } from "../oauth/oauth-id.ts"
import { runStatement } from "../store/run-statement.ts"
import { readStatement } from "../store/statement.ts"
import { type HealthScope, isHealthScope } from "./health-scopes.ts"

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
  readonly expiresAt: Date
  /** The token's hash, in hex. */
  readonly tokenHash: string
  /** What the person decided about the assistant, as the database compares it. */
  readonly terms: string
}

interface AccessRow
  extends Pick<AssistantAccess, "userId" | "clientId" | "assistant" | "days" | "expiresAt" | "tokenHash" | "terms"> {
  /** Position of the token in the batch, from 1. */
  readonly position: string
  readonly tokenScope: string | null
  readonly scopes: string[]
  readonly declined: string[]
  readonly utcOffsetMinutes: number | null
  readonly timeZone: string | null
}

/** Access tokens live an hour. An expiry more than a day ahead was set by a wrong clock, and such a token is refused. */
const MAX_LIFETIME_MS = 86_400_000

/** The access a token gives. Undefined if the token is not valid. */
export type OpenAccessToken = (token: string) => Promise<AssistantAccess | undefined>

/**
 * Checks access tokens. A token is refused if it is unknown, expired, for another resource (RFC 8707), or if its grant, assistant
 * or person is gone. Each request checks again, a repeated call with its count, so revocation acts at once on every replica. Tokens of one
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
export const hashOfAccessToken = (token: string): string => hashOfOauthId("AccessToken", token).toString("hex")

const OPEN_ACCESS_TOKENS = readStatement("open-access-tokens")

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
  { tokenScope, utcOffsetMinutes, timeZone, ...row }: Omit<AccessRow, "position">,
  now: Date,
): AssistantAccess {
  const tokenScopes = (tokenScope ?? "").split(" ").filter((scope) => scope !== "")
  return {
    ...row,
    tokenScopes,
    scopes: row.scopes.filter(isHealthScope).filter((scope) => tokenScopes.includes(scope)),
    declined: row.declined.filter(isHealthScope),
    today: todayIn({ utcOffsetMinutes, timeZone }, now),
  }
}
