// Events about records: what a change of the store did to one source's records, as its answers show it.
import { DAY_MS } from "@restwell/client/time-units"
import { collectsOnPhone, type NormalizedRecord } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { type DataEvent, queueEvents } from "../outbox/outbox.ts"
import { wholeAt } from "../read/morning-night.ts"
import { idOf, presentRecord } from "../read/present.ts"
import type { Database } from "../store/database.ts"
import type { RecordKey } from "../store/statements/delete-records.ts"
import { cycleIdOf, parseStored, type StoredRecord, withoutLengthsAlone } from "../store/stored-record.ts"

/** Starts of the records that may change. */
interface StartRange {
  readonly from: Date
  readonly to: Date
}

/** A night may begin on the day before the records of a change, and its parts before that. */
const REACH_BEFORE_MS = 3 * DAY_MS
/** Of a phone, whose nights before tell when one is over. */
const REACH_OF_PHONE_MS = 8 * DAY_MS
/** A skin temperature counts in the deviations of the 30 scored nights after it. */
const REACH_AFTER_MS = 60 * DAY_MS

/** One record before and after a change. */
interface RecordChange {
  readonly before: StoredRecord | undefined
  readonly after: StoredRecord | undefined
}

/**
 * Runs a change of a source's records, and queues its events. They say what answers show: a derived value that moves is a change too, and a
 * payload that says the same in another way is none.
 * @param range undefined tells nothing, as where `hasWebhooks` finds none
 */
export async function tellingRecords(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  connection: ConnectionId,
  range: StartRange | undefined,
  change: () => Promise<void>,
): Promise<void> {
  if (!range) return change()
  const before = await readRecords(transaction, connection, range)
  await change()
  const after = await readRecords(transaction, connection, range)
  const changes = [...new Set([...before.keys(), ...after.keys()])].map((key) => ({
    before: before.get(key),
    after: after.get(key),
  }))
  const dueOf = collectsOnPhone(connection.provider) ? endsOfNights([...after.values()]) : () => undefined
  await queueEvents(
    transaction,
    context,
    connection.userId,
    changes.flatMap((one) => {
      const event = eventOf(one)
      const due = dueOf(one.after ?? one.before)
      return event ? { ...event, ...(due && { due }) } : []
    }),
  )
}

/** When the night of each record's date is taken as whole: until then a phone may bring more of it. */
function endsOfNights(records: readonly StoredRecord[]): (record: StoredRecord | undefined) => Date | undefined {
  const sleeps = records
    .flatMap((record) => (record.kind === "sleep" ? record : []))
    .toSorted((one, other) => one.endMs - other.endMs)
  const lastOf = new Map(sleeps.map((sleep) => [sleep.date, sleep]))
  const nights = new Map(sleeps.filter(({ isNap }) => !isNap).map((night) => [night.date, night]))
  return (record) => {
    const last = record?.kind === "sleep" || record?.kind === "recovery" ? lastOf.get(record.date) : undefined
    return (
      last &&
      new Date(
        wholeAt(
          last,
          [...nights.values()].filter(({ date }) => date < last.date),
        ),
      )
    )
  }
}

async function readRecords(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { from, to }: StartRange,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const reachMs = collectsOnPhone(provider) ? REACH_OF_PHONE_MS : REACH_BEFORE_MS
  const { rows } = await sql<{ record: string }>`
    select restwell.stored_record(r, r.detail) as record from restwell.record r
    where r.user_id = ${userId} and r.provider = ${provider} and r.date is not null
      and r.started_at between ${new Date(from.getTime() - reachMs)} and ${new Date(to.getTime() + REACH_AFTER_MS)}
    order by r.started_at, r.kind, r.provider_id
  `.execute(transaction)
  return new Map(
    withoutLengthsAlone(rows.map(({ record }) => parseStored<StoredRecord>(record))).map((stored) => [
      `${stored.kind}/${stored.providerId}`,
      stored,
    ]),
  )
}

/** The event of a change. Undefined where answers stay the same. */
function eventOf({ before, after }: RecordChange): DataEvent | undefined {
  const record = after ?? before
  if (!record) return undefined
  const { provider, providerId, kind, date } = record
  const own = kind === "recovery" ? cycleIdOf(record) : providerId
  const about = {
    mode: "live",
    source: provider,
    kind,
    id: own === undefined ? null : idOf(provider, own),
    date,
  } as const
  const event = (type: DataEvent["type"], change?: string): DataEvent => ({
    type,
    data: { ...about, ...(change !== undefined && { change }) },
    recordId: providerId,
  })
  if (!after) return event("record.deleted")
  if (before && JSON.stringify(presentRecord(before)) === JSON.stringify(presentRecord(after))) return undefined
  if (kind === "workout" && !before) return event("workout.recorded")
  if ((kind === "sleep" || kind === "recovery") && after.scoreState === "scored" && before?.scoreState !== "scored")
    return event(`${kind}.scored`)
  return event("record.changed", before ? "updated" : "created")
}

/** The starts of records that a sync stores or deletes, stored versions of them included. Undefined for none. */
export async function rangeOfChange(
  transaction: Transaction<Database>,
  { userId, provider }: ConnectionId,
  { records, deleted }: { readonly records: readonly NormalizedRecord[]; readonly deleted: readonly RecordKey[] },
): Promise<StartRange | undefined> {
  const ids = [
    ...[...records, ...deleted].map(({ providerId }) => providerId),
    // A recovery has the time of its sleep, or of its cycle.
    ...records.flatMap((record) =>
      record.kind === "recovery" ? [record.sleepProviderId ?? [], record.cycleProviderId ?? []].flat() : [],
    ),
  ]
  if (ids.length === 0) return undefined
  const { rows } = await sql<{ from: Date | null; to: Date | null }>`
    select min(started_at) as "from", max(started_at) as "to" from restwell.record
    where user_id = ${userId} and provider = ${provider} and kind in ('sleep', 'recovery', 'workout', 'cycle') and provider_id = any(${ids})
  `.execute(transaction)
  const times = [
    ...records.map((record) => (record.kind === "recovery" ? record.createdMs : record.startMs)),
    ...[rows[0]?.from, rows[0]?.to].flatMap((at) => (at ? [at.getTime()] : [])),
  ]
  return times.length === 0 ? undefined : { from: new Date(Math.min(...times)), to: new Date(Math.max(...times)) }
}
