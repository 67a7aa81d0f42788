/* The service over HTTP with a database of its own, people in it, and sources whose records are stored as a sync would store them. */
import { setTimeout as sleep } from "node:timers/promises"
import { type Context, disconnect, mergeSamples } from "@restwell/core"
import { ingest } from "@restwell/core/ingest"
import type { NormalizedProfile, NormalizedRecord } from "@restwell/providers"
import { createTestDatabase, type TestDatabase } from "@restwell/testing/database"
import { Member } from "@restwell/testing/member"
import { type Replica, serviceEnvironment, startInProcess, UNLIMITED_QUOTA } from "@restwell/testing/service"
import { createContext } from "@restwell/testing/world"
import type { JournalAnswer, Weighing } from "../insights/daily-values.ts"
import type { SourceQuery } from "./expected.ts"
import { Ledger } from "./ledger.ts"
import { type Choice, keyOf, type SourceTruth, type Status, Truth } from "./truth.ts"

const MOST_TRIES = 10

/** No vendor is reachable: records come from the tests. */
const NO_VENDOR = { url: "http://127.0.0.1:9" }

/** One person of the service, and what their sources sent. */
export interface Someone {
  readonly userId: string
  readonly key: string
  readonly member: Member
  readonly truth: Truth
  readonly ledger: Ledger
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a sync brings. */
export interface Sent {
  readonly records?: readonly NormalizedRecord[]
  readonly deleted?: readonly NormalizedRecord[]
  readonly profile?: NormalizedProfile
}

/** Tables of what a person has from sources, and enters. */
const FORGOTTEN = [
  "connection",
  "record",
  "series_day",
  "profile",
  "import",
  "journal_entry",
  "own_answer",
  "source_order",
  "source_choice",
] as const

export class Installation {
  readonly store: TestDatabase
  readonly #service: Replica
  readonly #context: Context
  readonly #time: { now: Date }

  private constructor(store: TestDatabase, service: Replica, context: Context, time: { now: Date }) {
    this.store = store
    this.#service = service
    this.#context = context
    this.#time = time
  }

  static async open(now: Date): Promise<Installation> {
    const time = { now }
    const clock = { now: () => time.now }
    const store = await createTestDatabase()
    const environment = { ...serviceEnvironment(store, NO_VENDOR), ...UNLIMITED_QUOTA }
    const service = await startInProcess({ environment, role: "api", clock, log: [] })
    const context = createContext({ database: store.database, clock, vendorUrl: NO_VENDOR.url })
    return new Installation(store, service, context, time)
  }

  async close(): Promise<void> {
    await this.#service.close()
    await this.store.drop()
  }

  get now(): Date {
    return this.#time.now
  }

  advance(milliseconds: number): void {
    this.#time.now = new Date(this.now.getTime() + milliseconds)
  }

  async addSomeone(): Promise<Someone> {
    const member = new Member(this.#service)
    await member.signUp()
    const key = await member.newKey()
    const { rows } = await this.store.pool.query<{ id: string }>('select id from restwell."user" where email = $1', [
      member.email,
    ])
    const truth = new Truth()
    return { userId: rows[0]?.id ?? "", key, member, truth, ledger: new Ledger(truth) }
  }

  /** Forgets a person's sources, records and preferences. */
  async forget({ userId, truth }: Someone): Promise<void> {
    for (const table of FORGOTTEN)
      await this.store.pool.query(`delete from restwell.${table} where user_id = $1`, [userId])
    await this.store.pool.query(
      "update restwell.person set utc_offset_minutes = null, time_zone = null where user_id = $1",
      [userId],
    )
    await this.#grow(userId)
    truth.clear()
  }

  /** Enters the time zone of the account. */
  async setHome({ userId }: Someone, zone: string | null): Promise<void> {
    await this.store.pool.query("update restwell.person set time_zone = $2 where user_id = $1", [userId, zone])
    await this.#grow(userId)
  }

  /** Connects a source, or connects it again. */
  async connect({ userId, truth }: Someone, provider: string, status: Status = "ok"): Promise<SourceTruth> {
    const lastSyncedAt = this.now
    await this.store.pool.query(
      `insert into restwell.connection
         (user_id, provider, status, status_changed_at, connected_at, last_synced_at, next_sync_at, history_complete)
       values ($1, $2, $3, $4, $4, $4, $4::timestamptz + interval '1 year', true)
       on conflict (user_id, provider) do update
         set status = excluded.status, last_synced_at = excluded.last_synced_at, history_complete = true`,
      [userId, provider, status, lastSyncedAt],
    )
    await this.#grow(userId)
    let source = truth.sources.find((each) => each.provider === provider)
    if (!source) {
      source = { provider, connectedAt: this.now, status, lastSyncedAt, profile: null, records: new Map() }
      truth.sources.push(source)
    }
    Object.assign(source, { status, lastSyncedAt })
    truth.changed()
    return source
  }

  /** Stores records and deletions of a source that is being synced. */
  async sync(
    { userId, truth }: Someone,
    provider: string,
    { records = [], deleted = [], profile }: Sent,
  ): Promise<void> {
    const source = truth.source(provider)
    const { rows } = await this.store.pool.query<{ generation: string }>(
      "select generation from restwell.connection where user_id = $1 and provider = $2",
      [userId, provider],
    )
    const isStored = await ingest(
      this.#context,
      { userId, provider },
      {
        generation: rows[0]?.generation ?? "",
        fetched: {
          records,
          deleted: deleted.map(({ kind, providerId }) => ({ kind, providerId })),
          rejected: [],
        },
        ...(profile && { profile }),
        progress: { lastSyncedAt: this.now },
        asOf: this.now,
      },
    )
    if (!isStored) throw new Error(`nothing of ${provider} was stored`)
    source.lastSyncedAt = this.now
    source.status = "ok"
    source.profile = profile ?? source.profile
    for (const record of records) source.records.set(keyOf(record), { record, fromArchive: false })
    for (const record of deleted) source.records.delete(keyOf(record))
    truth.changed()
  }

  /** Turns records into those of an uploaded archive. */
  async archive({ userId, truth }: Someone, provider: string, records: readonly NormalizedRecord[]): Promise<void> {
    await this.store.pool.query(
      `with uploaded as (
         insert into restwell.import (user_id, file_name, status, includes_private, created_at)
         values ($1, $2 || '.zip', 'done', false, $4) returning id
       ), copies as (
         update restwell.record set from_archive = true
         where user_id = $1 and provider = $2 and kind || '/' || provider_id = any($3) returning *
       )
       insert into restwell.import_record
         (user_id, import_id, provider, kind, provider_id, has_vendor_id, date, started_at, ended_at, utc_offset_minutes, score_state,
          vendor_updated_at, sleep_provider_id, cycle_provider_id, detail, candidate, raw)
       select user_id, uploaded.id, provider, kind, provider_id, true, date, started_at, ended_at, utc_offset_minutes, score_state,
          vendor_updated_at, sleep_provider_id, cycle_provider_id, detail, candidate, raw
       from copies cross join uploaded`,
      [userId, provider, records.map(keyOf), this.now],
    )
    await this.#grow(userId)
    for (const record of records) truth.source(provider).records.set(keyOf(record), { record, fromArchive: true })
    truth.changed()
  }

  /** Stores a journal as an uploaded archive and the person's own entries bring it. */
  async note({ userId }: Someone, answers: readonly JournalAnswer[]): Promise<void> {
    const { entered = [], journal = [] } = Object.groupBy(answers, ({ provider }) =>
      provider === "restwell" ? "entered" : "journal",
    )
    await this.store.pool.query(
      `insert into restwell.own_answer (user_id, date, factor, title, answer)
       select $1, o.date, o.factor, o.factor, o.answer from jsonb_to_recordset($2) as o (date date, factor text, answer boolean)`,
      [userId, JSON.stringify(entered)],
    )
    await this.store.pool.query(
      `with uploaded as (
         insert into restwell.import (user_id, file_name, status, includes_private, created_at)
         values ($1, 'journal.zip', 'done', false, $3) returning id
       )
       insert into restwell.journal_answer
         (user_id, import_id, provider, cycle_started_at, question, utc_offset_minutes, factor, answer, date)
       select $1, uploaded.id, j.provider, j.date::timestamptz, j.factor, 0, j.factor, j.answer, j.date
       from uploaded cross join jsonb_to_recordset($2) as j (provider text, date date, factor text, answer boolean)`,
      [userId, JSON.stringify(journal), this.now],
    )
    await this.#grow(userId)
  }

  /** Stores samples that are in no record. */
  async weigh({ userId }: Someone, weighings: readonly Weighing[]): Promise<void> {
    for (const [provider, own] of Map.groupBy(weighings, (each) => each.provider)) {
      const sets = [...Map.groupBy(own, ({ type }) => type)].map(([type, values]) => ({
        type,
        samples: values.map(({ atMs, value, offsetMinutes }) => ({ atMs, value, utcOffsetMinutes: offsetMinutes })),
      }))
      await this.store.database
        .transaction()
        .execute((transaction) => mergeSamples(transaction, { userId, provider }, sets))
    }
    await this.#grow(userId)
  }

  async setStatus({ userId, truth }: Someone, provider: string, status: Status): Promise<void> {
    await this.store.pool.query("update restwell.connection set status = $3 where user_id = $1 and provider = $2", [
      userId,
      provider,
      status,
    ])
    await this.#grow(userId)
    truth.source(provider).status = status
    truth.changed()
  }

  /** Disconnects a source. Its records are kept, or deleted apart from those of archives. */
  async disconnect({ userId, truth }: Someone, provider: string, wipeData: boolean): Promise<void> {
    await disconnect(this.#context, { userId, provider, wipeData })
    const source = truth.source(provider)
    // What archives brought answers on.
    source.status = [...source.records.values()].some(({ fromArchive }) => fromArchive) ? "archive" : "disconnected"
    if (wipeData) {
      source.lastSyncedAt = null
      source.profile = null
      for (const [key, { fromArchive }] of source.records) if (!fromArchive) source.records.delete(key)
    }
    truth.changed()
  }

  /** Sets what the person prefers, in the way the dashboard does. */
  async prefer(
    someone: Someone,
    wanted: { order?: Partial<Truth["order"]>; choices?: readonly Choice[] },
  ): Promise<void> {
    const response = await someone.member.send("PUT", "/api/account/sources", wanted)
    if (!response.ok) throw new Error(`the preferences were refused: ${await response.text()}`)
    const { truth } = someone
    truth.order = { ...truth.order, ...wanted.order }
    truth.choices = wanted.choices ?? truth.choices
    truth.changed()
  }

  read(someone: Someone, query: SourceQuery): Promise<Answer> {
    return this.ask(someone, "health", query)
  }

  /** Reads any path below /api/v1. Asks again as a client does where a busy machine answers that the database is not available. */
  async ask({ key }: Someone, path: string, query: object): Promise<Answer> {
    const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
    for (let left = MOST_TRIES; ; left -= 1) {
      const response = await fetch(`${this.#service.url}/api/v1/${path}?${search}`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const answer = { status: response.status, body: await response.json() }
      if (response.status !== 503 || left === 1) return answer
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1))
    }
  }

  async #grow(userId: string): Promise<void> {
    await this.store.pool.query("update restwell.person set data_version = data_version + 1 where user_id = $1", [
      userId,
    ])
  }
}
