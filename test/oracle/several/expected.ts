/*
 * The oracle for people with several sources: the answer that docs/sources.md and docs/api.md require for what the sources sent. It shares
 * no code with the service.
 */
import { isIn, type OracleQuery, type Range, rangeAt } from "../days.ts"
import { type Activity, isOne, type Reason } from "./choice.ts"
import type { Ledger } from "./ledger.ts"
import { type Measured, offsetText } from "./measured.ts"
import { type WholeNight, wholeNights } from "./nights.ts"
import { cycleRecord, recoveryRecord, sleepRecord, workoutRecord } from "./records.ts"
import { candidatesFor, mostRecords, NAMES, sourceJson } from "./sources.ts"
import { summaryOf } from "./summary.ts"
import type { SourceTruth } from "./truth.ts"

export interface SourceQuery extends OracleQuery {
  source?: string
}

/** The body of the answer, or the statuses one of which must refuse the query. */
export type Expected = { readonly body: object } | { readonly refused: readonly number[] }

type RecordType = keyof Measured
type AnyMeasured = Measured[RecordType][number]

export function expectedFrom(ledger: Ledger, now: Date, query: SourceQuery): Expected {
  const { source, type } = query
  const isName = source !== undefined && source !== "all"
  if (isName && !NAMES.some((name) => name === source)) return { refused: [400] }
  const candidates = candidatesFor(ledger.truth, type === "profile" || type === "summary" ? "sleep" : type)
  const range = rangeAt({ offset: offsetText(ledger.newestOffset()), clocks: ledger.clocks() }, now, query)
  const isUnconnected = candidates.length === 0 || (isName && !candidates.some(({ provider }) => provider === source))
  if (isUnconnected) return { refused: range ? [404] : [400, 404] }
  if (!range) return { refused: [400] }
  const only = isName ? source : undefined
  const answer =
    type === "profile"
      ? profileOf(candidates, only)
      : type === "summary"
        ? summaryOf({ ledger, range, only })
        : listOf(ledger, { type, range, source, candidates })
  return { body: { ...answer, sources: candidates.map(sourceJson) } }
}

interface ListQuestion {
  readonly type: RecordType
  readonly range: Range
  readonly source: string | undefined
  readonly candidates: readonly SourceTruth[]
}

function listOf(ledger: Ledger, { type, range, source, candidates }: ListQuestion): object {
  const chosen = ledger.chosen()
  const answers = ledger.answers(source === undefined || source === "all" ? undefined : source)
  const isAll = source === "all"
  const isOneSource = source !== undefined && !isAll
  const found = [...ledger.measured(isOneSource ? source : undefined)[type]]
    .filter((each: AnyMeasured) => isIn(range, Temporal.PlainDate.from(each.date)))
    .filter((each) => isAll || answers(each))
    .sort((one, other) => other.startMs - one.startMs)
  const reasonOf = (each: AnyMeasured): Reason | null => (isOneSource ? "only_one" : (chosen.get(each) ?? null))
  const { sleep } = ledger.measured(isOneSource ? source : undefined)
  const isListed = (each: AnyMeasured) => isAll || answers(each)
  const nights = wholeNights(sleep.filter((each) => isListed(each) && !each.record.isNap))
  const records = found.map((each) => ({
    ...recordOf(each),
    ...nightOf(nights, each),
    source: each.provider,
    device: null,
    chosen_because: reasonOf(each),
    ...(isAll && { chosen: chosen.has(each) }),
    ...(!isOneSource && candidates.length > 1 && { others: othersOf(each, ledger.measured()[type]) }),
  }))
  return {
    records,
    count: records.length,
    empty_reason: records.length === 0 ? emptyReason(candidates, isOneSource ? source : undefined) : null,
    missing: [],
    source: mostRecords(found, candidates, isOneSource ? source : undefined),
  }
}

/** Fields that are null in a record and not in those of other sources: of the date, or of a nap or workout at the same time. */
function othersOf(each: AnyMeasured, all: readonly AnyMeasured[]): object[] {
  const sees = isActivity(each)
    ? (other: AnyMeasured) => isActivity(other) && isOne(each, other)
    : (other: AnyMeasured) => !isActivity(other) && other.date === each.date
  const beside = all
    .filter((other) => other.provider !== each.provider && sees(other))
    .map((other) => ({ source: other.provider, values: flat(recordOf(other)) }))
  const names = [...new Set(beside.map(({ source }) => source))].sort()
  return Object.entries(flat(recordOf(each)))
    .filter(([field, value]) => value === null && !["hrv_method", "cycle_id", "end", "end_local"].includes(field))
    .flatMap(([field]) =>
      names
        .filter((name) => beside.some(({ source, values }) => source === name && values[field] != null))
        .map((source) => ({ field, source })),
    )
}

const isActivity = (each: AnyMeasured): each is Activity =>
  each.record.kind === "workout" || (each.record.kind === "sleep" && each.record.isNap)

/** A record with nested figures by the names of columns. The zones of a workout are known together. */
const flat = (record: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      value instanceof Object && name !== "zones"
        ? Object.entries(value).map(([inner, cell]) => [`${name}_${inner}`, cell])
        : [[name, value]],
    ),
  )

/** The whole night of a sleep that is a part of one. */
function nightOf(nights: readonly WholeNight[], each: AnyMeasured): { night?: object } {
  const whole = nights.find(({ sleeps }) => sleeps.length > 1 && sleeps.some((sleep) => sleep === each))
  if (!whole) return {}
  const { id: _, is_nap: __, ...night } = sleepRecord(whole.night)
  return { night }
}

/** Checked where every source that could answer is up to date. Otherwise the reason depends on how far each one is. */
export const ANY_REASON = "any reason"
function emptyReason(candidates: readonly SourceTruth[], only: string | undefined): string {
  const asked = candidates.filter(({ provider }) => only === undefined || provider === only)
  return asked.every(({ status }) => status === "ok" || status === "archive") ? "no_data_in_range" : ANY_REASON
}

function recordOf(measured: AnyMeasured): object {
  if ("deviation" in measured) return recoveryRecord(measured)
  const { record, ...rest } = measured
  if (record.kind === "sleep") return sleepRecord({ ...rest, record })
  return record.kind === "workout" ? workoutRecord({ ...rest, record }) : cycleRecord({ ...rest, record })
}

function profileOf(candidates: readonly SourceTruth[], only: string | undefined): object {
  const asked = candidates.filter(({ provider }) => only === undefined || provider === only)
  const owner = asked.find(({ profile }) => profile) ?? asked[0]
  const data = owner?.profile?.data
  return {
    profile: {
      first_name: data?.firstName ?? null,
      last_name: data?.lastName ?? null,
      email: data?.email ?? null,
    },
    body: {
      height_meters: data?.body?.heightMeters ?? null,
      weight_kilograms: data?.body?.weightKilograms ?? null,
      max_heart_rate: data?.body?.maxHeartRate ?? null,
    },
    source: owner && sourceJson(owner),
  }
}
