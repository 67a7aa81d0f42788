// Stores a received push as rows, piece by piece. Pieces that are stored stay, whatever becomes of the next one.
import { gunzipSync } from "node:zlib"
import { DAY_MS } from "@restwell/client/time-units"
import {
  type GiveTurn,
  InvalidJson,
  InvalidPush,
  type PushedTable,
  PushTooLarge,
  pushFormatOf,
} from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { latestPossible } from "../base/record-dates.ts"
import type { Context } from "../context/context.ts"
import { TooManyRequests } from "../context/errors.ts"
import { queueBatch } from "../outbox/batch-events.ts"
import { type Database, personTransaction } from "../store/database.ts"
import type { PushReport } from "../store/record-tables.ts"
import { type ClaimedPush, countStoredRows } from "./receive-push.ts"
import { reportJson } from "./report-json.ts"
import { lockPushes, notePush, noteTime, type PieceChange, storePiece } from "./store-push.ts"

/** What storing a push needs. */
type PushContext = Pick<Context, "database" | "clock" | "logger">

/** How a push ended. `gone`: its token was ended, or another process took it over. */
export type PushOutcome =
  | { readonly kind: "stored"; readonly report: PushReport }
  | { readonly kind: "refused"; readonly reason: "invalid" | "too_large"; readonly message: string }
  | { readonly kind: "day_is_full"; readonly message: string; readonly limit: number; readonly resetMs: number }
  | { readonly kind: "gone" }
  /** It is larger than `largestBytes`, and waits. */
  | { readonly kind: "larger" }

/** After inflating. */
export const LARGEST_PUSH = 50 * 1_048_576
const TOO_LARGE = "the push is larger than 50 MB, cut it into smaller ones"

interface RunPushOptions {
  /** Lets others go on, and throws when this thread has to end. */
  readonly giveTurn: GiveTurn
  /** Of the body as a whole in memory. */
  readonly largestBytes: number
}

/** Stores a push from where it was left. */
export async function runPush(
  context: PushContext,
  push: ClaimedPush,
  { giveTurn, largestBytes }: RunPushOptions,
): Promise<PushOutcome> {
  const row = await ownPush(context.database, push)
  if (!row) return { kind: "gone" }
  try {
    const body = await readBody(context, push, largestBytes)
    const bytes = row.isGzip ? inflated(body, largestBytes) : body
    const format = pushFormatOf(row.provider)
    if (format === undefined) throw new Error(`pushes of ${row.provider} cannot be read`)
    // By the time at which it came, so that a process that goes on has the same pieces.
    const latestMs = latestPossible(row.createdAt).getTime()
    const table = await format.read(bytes, { giveTurn, latestMs, aggregation: row.aggregation })
    return await storeTable(context, { ...push, provider: row.provider }, table, giveTurn)
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome === undefined) throw error
    if (outcome.kind === "gone" || outcome.kind === "larger" || outcome.kind === "stored") return outcome
    if (outcome.kind === "day_is_full") await noteStored(context, { ...push, provider: row.provider })
    await endPush(context, push, { status: "failed", error: outcome.message })
    return outcome
  }
}

/** Shows what the pieces before a refused one brought. */
const noteStored = (context: PushContext, push: StoredPush): Promise<void> =>
  personTransaction(context.database, push.userId, async (transaction) => {
    const pushes = await lockPushes(transaction, context, push)
    await notePush(transaction, pushes, (await ownProgress(transaction, push)).report)
  })

/** Ends a push that cannot be stored. */
export async function failPush(context: Pick<Context, "database">, push: ClaimedPush, error: string): Promise<void> {
  await endPush(context, push, { status: "failed", error })
}

function outcomeOf(error: unknown): PushOutcome | undefined {
  if (error instanceof LargerPush) return { kind: "larger" }
  if (error instanceof PushTooLarge) return { kind: "refused", reason: "too_large", message: error.message }
  if (error instanceof InvalidPush) return { kind: "refused", reason: "invalid", message: error.message }
  if (error instanceof InvalidJson) return { kind: "refused", reason: "invalid", message: "the body is not valid JSON" }
  if (error instanceof TooManyRequests && error.reset)
    return { kind: "day_is_full", message: error.message, limit: error.limit, resetMs: error.reset.getTime() }
  return error instanceof PushIsGone ? { kind: "gone" } : undefined
}

class LargerPush extends Error {}

const tooLarge = (largestBytes: number, options?: ErrorOptions): Error =>
  largestBytes < LARGEST_PUSH ? new LargerPush() : new PushTooLarge(TOO_LARGE, options)

/** The push was deleted with its token or account, or another process stores it. */
class PushIsGone extends Error {}
const isGone = () => new PushIsGone("the token of the push was ended, or another process stores it")

async function ownPush(database: Context["database"], { userId, id, claim }: ClaimedPush) {
  return database
    .selectFrom("push")
    .select(["provider", "is_gzip as isGzip", "aggregation", "created_at as createdAt"])
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .where("claimed_by", "=", claim)
    .where("status", "=", "queued")
    .executeTakeFirst()
}

/** @throws when it is larger */
async function readBody({ database }: PushContext, { userId, id }: ClaimedPush, largestBytes: number): Promise<Buffer> {
  const ofPush = database.selectFrom("push_part").where("user_id", "=", userId).where("push_id", "=", id)
  const { size } = await ofPush
    .select(sql<number>`coalesce(sum(octet_length(bytes)), 0)::double precision`.as("size"))
    .executeTakeFirstOrThrow()
  if (size > largestBytes) throw tooLarge(largestBytes)
  const body = Buffer.alloc(size)
  for (let [part, at] = [0, 0]; at < size; part += 1) {
    const { bytes } = await ofPush.select("bytes").where("part", "=", part).executeTakeFirstOrThrow()
    at += bytes.copy(body, at)
  }
  return body
}

/** @throws {InvalidPush} and when it is larger */
function inflated(bytes: Buffer, largestBytes: number): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: largestBytes })
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE")
      throw tooLarge(largestBytes, { cause })
    throw new InvalidPush("the body is not gzip, or it ended early", { cause })
  }
}

interface StoredPush extends ClaimedPush {
  readonly provider: string
}

/** Stores piece after piece. The removal of all pushes meanwhile begins them again, so that the report is true. */
async function storeTable(
  context: PushContext,
  push: StoredPush,
  table: PushedTable,
  giveTurn: GiveTurn,
): Promise<PushOutcome> {
  for (;;) {
    const report = await personTransaction(context.database, push.userId, (transaction) =>
      storeNext(transaction, context, push, table),
    )
    if (report) return { kind: "stored", report }
    await giveTurn()
  }
}

/** @returns the report after the last piece */
async function storeNext(
  transaction: Transaction<Database>,
  context: PushContext,
  push: StoredPush,
  table: PushedTable,
): Promise<PushReport | undefined> {
  const { clock } = context
  const pushes = await lockPushes(transaction, context, push)
  const current = await ownProgress(transaction, push)
  const { pieces } = current
  const isNews = table.earliestMs >= clock.now().getTime() - NEWS_MS
  const change =
    pieces < table.pieceCount
      ? await storePiece(transaction, context, pushes, table.pieceAt(pieces), { isNews })
      : NO_CHANGE
  await countStoredRows(transaction, clock, push.userId, change.stored)
  await noteTime(transaction, context, push)
  const isLast = pieces + 1 >= table.pieceCount
  const report = addTo(current.report, isLast ? withIgnored(change, table.ignored) : change)
  if (isLast) await notePush(transaction, pushes, report)
  if (isLast && !isNews && report.stored > 0)
    await queueBatch(transaction, context, push.userId, { mode: "import", sources: [push.provider] })
  // The last statement, so that noting the 202 waits for none of the others.
  const { rows } = await sql`
    update restwell.push set pieces = ${pieces + 1}, report = ${reportJson(report)}
    where user_id = ${push.userId} and id = ${push.id} and claimed_by = ${push.claim} and status = 'queued' and pieces = ${pieces}
    returning id
  `.execute(transaction)
  if (rows.length === 0) throw isGone()
  if (!isLast) return undefined
  await endPush({ database: transaction }, push, { status: "done", error: null })
  return report
}

/** A push that reaches further back is a history, of which nobody wants to hear night by night. */
const NEWS_MS = 8 * DAY_MS

const NO_CHANGE: PieceChange = { stored: 0, unchanged: 0, ignored: new Map() }

const withIgnored = (change: PieceChange, ignored: ReadonlyMap<string, number>): PieceChange => ({
  ...change,
  ignored: summed([...change.ignored, ...ignored]),
})

const addTo = ({ stored, unchanged, ignored }: PushReport, change: PieceChange): PushReport => ({
  stored: stored + change.stored,
  unchanged: unchanged + change.unchanged,
  ignored: [...summed([...ignored.map(({ reason, count }) => [reason, count] as const), ...change.ignored])].map(
    ([reason, count]) => ({ reason, count }),
  ),
})

function summed(counts: Iterable<readonly [string, number]>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [reason, count] of counts) sums.set(reason, (sums.get(reason) ?? 0) + count)
  return sums
}

/** What is stored so far. @throws {PushIsGone} */
async function ownProgress(transaction: Transaction<Database>, { userId, id, claim }: ClaimedPush) {
  const { rows } = await sql<{ pieces: number; report: PushReport }>`
    select pieces, report from restwell.push
    where user_id = ${userId} and id = ${id} and claimed_by = ${claim} and status = 'queued'
  `.execute(transaction)
  const [found] = rows
  if (!found) throw isGone()
  return found
}

/** Keeps the report for a sender who was told to ask for it. */
async function endPush(
  { database }: Pick<Context, "database">,
  { userId, id, claim }: ClaimedPush,
  { status, error }: { readonly status: "done" | "failed"; readonly error: string | null },
): Promise<void> {
  await sql`
    with ended as (
      update restwell.push set status = ${status}, error = ${error}
      where user_id = ${userId} and id = ${id} and claimed_by = ${claim} and is_acknowledged returning id
    ), body as (
      delete from restwell.push_part where user_id = ${userId} and push_id = ${id} and exists (select from ended)
    )
    delete from restwell.push where user_id = ${userId} and id = ${id} and claimed_by = ${claim} and not is_acknowledged
  `.execute(database)
}
