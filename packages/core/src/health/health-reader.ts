import { DAYS, type HealthQuery, type HealthType } from "@restwell/client"
import type { Context } from "../context.ts"
import { InvalidRequest, NotFound, QuotaExceeded, type ServiceError, Unauthorized, Unavailable } from "../errors.ts"
import { nextMonth } from "../quota/month.ts"
import type { Quota } from "../quota/plans.ts"
import { databaseTrouble, SILENT } from "../store/database-trouble.ts"
import { type HealthRead, type HealthRow, readHealthRows } from "../store/read-health-rows.ts"
import { answer, type HealthBody } from "./answer.ts"
import { microBatch } from "./micro-batch.ts"

/** Grows when the same data would be answered with other bytes, so that no cache keeps the old ones. */
const PRESENTATION = "1"

const OUR_TAG = /^(?:"[0-9a-z-]+"|\*)$/

const RETRY_AFTER_SECONDS = 2

const KINDS: Record<HealthType, readonly string[]> = {
  summary: ["sleep", "recovery", "cycle", "workout"],
  sleep: ["sleep"],
  recovery: ["recovery"],
  workout: ["workout"],
  cycle: ["cycle"],
  profile: [],
}

export interface HealthReadRequest {
  /** An API key's hash, or a person whom a door has authenticated otherwise. */
  readonly credential: { readonly keyHash: Buffer } | { readonly userId: string }
  /** Null looks the credential and the quota up and no more. */
  readonly query: HealthQuery | null
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** False for a read that carries no data away. */
  readonly charge: boolean
}

export type HealthReading =
  | {
      readonly outcome: "answer"
      readonly body: HealthBody
      /** Records that the answer is made of, 1 for a profile: what the access log says. */
      readonly recordCount: number
      readonly etag: string
      readonly quota: Quota
    }
  | { readonly outcome: "not_modified"; readonly etag: string; readonly quota: Quota }
  | { readonly outcome: "refused"; readonly error: ServiceError; readonly quota?: Quota }
  | { readonly outcome: "peeked"; readonly quota: Quota }

export interface HealthReader {
  /** Authenticates, counts and reads in one round trip that all reads of the same tick share. @throws {Unavailable} */
  read(request: HealthReadRequest): Promise<HealthReading>
}

export function createHealthReader(context: Context): HealthReader {
  const readRow = microBatch((reads: readonly HealthRead[]) => readHealthRows(context, reads))
  return {
    async read(request) {
      const row = await readRow(readOf(request)).catch((error: unknown) => {
        throw new Unavailable(databaseTrouble(error) ?? SILENT, RETRY_AFTER_SECONDS, { cause: error })
      })
      if ("sync_due" in row && row.sync_due) requestSyncInBackground(context, row)
      return readingOf(context, request.query?.type ?? "summary", row)
    },
  }
}

function readOf({ credential, query, ifNoneMatch, charge }: HealthReadRequest): HealthRead {
  const type = query?.type ?? "summary"
  return {
    ...("keyHash" in credential ? { key_hash: credential.keyHash.toString("hex") } : { user_id: credential.userId }),
    peek: query === null,
    charge,
    type,
    kinds: KINDS[type],
    wants_profile: type === "profile",
    days: query?.days ?? DAYS.default,
    ...(query?.start_date !== undefined && { start_date: query.start_date }),
    ...(query?.end_date !== undefined && { end_date: query.end_date }),
    tag_prefix: `${PRESENTATION}-${type}`,
    // What does not look like a tag of ours matches none, and stays out of a statement that others share.
    if_none_match: ifNoneMatch.filter((tag) => OUR_TAG.test(tag)),
  }
}

function readingOf({ clock }: Context, type: HealthType, row: HealthRow): HealthReading {
  if (row.outcome === "unauthorized")
    return {
      outcome: "refused",
      error: new Unauthorized("invalid API key: it is unknown, or was replaced in the dashboard"),
    }
  const reset = nextMonth(clock.now())
  const quota: Quota = { limit: row.monthly_limit, remaining: Math.max(row.monthly_limit - row.used, 0), reset }
  switch (row.outcome) {
    case "peeked":
      return { outcome: "peeked", quota }
    case "no_provider":
      return {
        outcome: "refused",
        error: new NotFound("no health provider connected, connect one in the dashboard"),
        quota,
      }
    case "invalid_range":
      return { outcome: "refused", error: rangeError(row.from_date, row.to_date, row.today), quota }
    case "quota_exceeded":
      return { outcome: "refused", error: new QuotaExceeded(row.monthly_limit, reset), quota }
    case "not_modified":
      return { outcome: "not_modified", etag: row.etag, quota }
    case "answer":
      return {
        outcome: "answer",
        body: answer(type, row),
        recordCount: type === "profile" ? 1 : row.records.length,
        etag: row.etag,
        quota,
      }
  }
}

function rangeError(from: string, to: string, today: string): InvalidRequest {
  if (from > to)
    return new InvalidRequest(
      `start_date ${from} is after ${to === today ? `today, ${today}` : `end_date ${to}`}`,
      "start_date",
    )
  return new InvalidRequest(
    `${from} to ${to} is more than ${DAYS.max} dates, ask for several ranges one after the other`,
    "start_date",
  )
}

/** A read never waits for the vendor, nor fails because work for later could not be asked for. */
function requestSyncInBackground(context: Context, { user_id, provider }: { user_id: string; provider: string }): void {
  context.jobs.requestSync({ userId: user_id, provider }).catch((error: unknown) => {
    context.logger.error({ userId: user_id, provider, err: error }, "a sync could not be asked for")
  })
}
