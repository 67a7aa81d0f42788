import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import { Unavailable } from "../context/errors.ts"
import type { Quota } from "../quota/plans.ts"
import { countHeld } from "../store/count-held.ts"
import { databaseTrouble, SILENT } from "../store/database-trouble.ts"
import { type HealthRow, readHealthRows } from "../store/read-health-rows.ts"
import { answer, answerBytes, type HealthBody } from "./answer.ts"
import { createHeldBodies, type HeldBodies, type HeldBody } from "./held-bodies.ts"
import { countedReadsOf, type HeldRead, heldPeopleOf, heldReadOf } from "./held-reads.ts"
import { type NoAnswer, outcomeOf, quotaOf } from "./outcome.ts"
import { type Asked, createReadQueue, type Turn } from "./read-queue.ts"
import { askedOf, type HealthReadRequest, placeOf, typeOf, type WaitingRead, waitingReadOf } from "./waiting-read.ts"

const RETRY_AFTER_SECONDS = 2

interface Answered {
  readonly outcome: "answer"
  /** Records that the answer is made of, 1 for a profile: what the access log says. */
  readonly recordCount: number
  readonly etag: string
  readonly quota: Quota
}

export type HealthReading = (Answered & { readonly body: HealthBody }) | NoAnswer
/** The same with the body as the bytes of its JSON. */
export type HealthBytes = (Answered & { readonly bytes: Buffer }) | NoAnswer

export interface HealthReader {
  /** Authenticates, counts and reads in one round trip that all reads of the same moment share. @throws {Unavailable} */
  read(request: HealthReadRequest): Promise<HealthReading>
  /**
   * As `read`; bodies are held for the next who asks for the same, and equal reads of the same moment are taken as one. Where what a held body
   * was made under no longer stands, it takes a second round trip. @throws {Unavailable}
   */
  readBytes(request: HealthReadRequest): Promise<HealthBytes>
}

export interface HealthReaderOptions {
  /** Connections that keep the statements prepared. */
  readonly pool: Pool
  /** How much memory the bodies of answers may take; 0 holds none. */
  readonly heldBytes: number
}

interface Taken {
  readonly row: HealthRow
  readonly body: HeldBody | undefined
}

/** Two queues: what is only counted never waits for what is read. */
export function createHealthReader(context: Context, { pool, heldBytes }: HealthReaderOptions): HealthReader {
  const store = { ...context, pool }
  const bodies = createHeldBodies(heldBytes)

  const count = createReadQueue(async (turns: readonly Turn<HeldRead>[]) => {
    const { held, lines } = heldPeopleOf(turns)
    return countedReadsOf(turns, held.length === 0 ? [] : await countHeld(store, held, lines))
  })
  const readWhole = createReadQueue(async (turns: readonly Turn<WaitingRead>[]): Promise<Taken[]> => {
    const rows = await readHealthRows(
      store,
      turns.map(({ item: { read }, times }) => ({ ...read, times })),
    )
    return rows.map((row, index) => {
      if ("sync_due" in row && row.sync_due) requestSyncInBackground(context, row)
      const item = turns[index]?.item
      return { row, body: item && bodyOf(item, row, bodies) }
    })
  })

  /** The answer of a body that is held, where counting is all there is to do. */
  const readHeld = async (request: HealthReadRequest, asked: Asked, held: HeldBody) => {
    const read = heldReadOf(request, asked, held, context.clock.now())
    if (!read) return undefined
    const { result, nth } = await count(asked, () => read).catch(throwUnavailable)
    const { body, person } = result
    return person && answered(body, quotaOf(context.clock, person.monthly_limit, person.used + nth + 1))
  }

  const take = (request: HealthReadRequest, asked: Asked, place?: string, held?: HeldBody) =>
    readWhole(asked, () => waitingReadOf(request, asked, place, held)).catch(throwUnavailable)

  return {
    async read(request) {
      const { result, nth } = await take(request, askedOf(request, undefined))
      const { row } = result
      const outcome = outcomeOf(context, row, nth, request.charge)
      if (outcome.outcome !== "answer") return outcome
      if (row.outcome !== "answer") throw new Error("what is no answer was taken for one")
      return { ...outcome, recordCount: row.record_count, etag: row.etag, body: answer(typeOf(request), row) }
    },
    async readBytes(request) {
      const place = placeOf(request)
      const asked = askedOf(request, place)
      const held = place === undefined ? undefined : bodies.get(place)
      const counted = held && (await readHeld(request, asked, held))
      if (counted) return counted
      const { result, nth } = await take(request, asked, place, held)
      const outcome = outcomeOf(context, result.row, nth, request.charge)
      if (outcome.outcome !== "answer") return outcome
      if (!result.body) throw new Error("an answer has no body")
      return answered(result.body, outcome.quota)
    },
  }
}

const answered = ({ recordCount, etag, bytes }: HeldBody, quota: Quota) =>
  ({ outcome: "answer", recordCount, etag, bytes, quota }) as const

function throwUnavailable(error: unknown): never {
  throw new Unavailable(databaseTrouble(error) ?? SILENT, RETRY_AFTER_SECONDS, { cause: error })
}

/** The body of an answer as bytes, made once and held for the next who asks. */
function bodyOf(
  { read: { type }, place, held }: WaitingRead,
  row: HealthRow,
  bodies: HeldBodies,
): HeldBody | undefined {
  if (row.outcome !== "answer" || place === undefined) return undefined
  const body = {
    bytes: row.records === null && held ? held.bytes : answerBytes(type, row),
    etag: row.etag,
    recordCount: row.record_count,
    userId: row.user_id,
    provider: row.provider,
    dataVersion: row.data_version,
    utcOffsetMinutes: row.utc_offset_minutes,
    today: row.today,
    fromDate: row.from_date,
    toDate: row.to_date,
  }
  bodies.set(place, body)
  return body
}

/** A read never waits for the vendor, nor fails because work for later could not be asked for. */
function requestSyncInBackground(context: Context, { user_id, provider }: { user_id: string; provider: string }): void {
  context.jobs.requestSync({ userId: user_id, provider }).catch((error: unknown) => {
    context.logger.error({ userId: user_id, provider, err: error }, "a sync could not be asked for")
  })
}
