// What of this morning is still to come, and what comes no more: pure. The page, the connector and reads that wait all ask here.
import { type DayResponse, getsNewData, type MissingRecords } from "@restwell/client"
import { addDays, utcDateOf } from "@restwell/client/calendar-dates"
import { deliversKind, RECORD_KINDS } from "@restwell/providers"
import type { Choice } from "../sources/choose.ts"
import type { StoredSource } from "../store/statements/read-trend-rows.ts"
import type { StoredRecord } from "../store/stored-record.ts"
import { newestOf } from "./trends.ts"

/** What a night ends with. */
export const MORNING_KINDS = ["sleep", "recovery"] as const
type MorningKind = (typeof MORNING_KINDS)[number]

/** A source whose newest recovery is farther behind its newest night than this gives none any more, and the other way round. */
const FARTHEST_BEHIND = 14
/** A source that has given nothing at all is a new one for so many dates. */
const NEW_DATES = 14
/** A part of the morning that ended before these dates is no news, while others still come. */
const ENDED_DATES = 30

export interface Morning {
  /** The person's date. */
  readonly today: string
  /** What is asked for, and may be read. */
  readonly kinds: readonly MorningKind[]
  /** Those that may answer. */
  readonly sources: readonly StoredSource[]
  /** The records of today, also among those of other dates. */
  readonly choices: readonly Choice<StoredRecord>[]
  readonly missing: readonly Pick<MissingRecords, "kind" | "date">[]
}

/**
 * The parts of the morning that come by themselves: one is being scored, or is absent while a source that works gives it. Nothing of an
 * archive comes, nor of a source whose consent has ended, nor what the vendor withholds, of which `missing` says so.
 */
export function awaitedOf(morning: Morning): MorningKind[] {
  const live = morning.sources.filter(isLive)
  return morning.kinds.filter((kind) => {
    const own = recordsOf(morning, kind)
    if (own.length === 0) return !isWithheld(morning, kind) && live.some((source) => gives(source, kind, morning.today))
    return own.some(
      ({ scoreState, provider }) => scoreState === "pending" && live.some((source) => source.provider === provider),
    )
  })
}

/**
 * What no source delivers any more: everything, or else a part of the morning that is absent. Null while nothing has ended.
 * @param awaited as {@link awaitedOf} has it
 */
export function endedOf(morning: Morning, awaited: readonly MorningKind[]): DayResponse["ended"] {
  const { today, sources } = morning
  const live = sources.filter(isLive)
  const newest = newestOf(sources, today)
  if (live.length === 0 && newest !== undefined && newest < today)
    return { kinds: [...RECORD_KINDS], date: newest, reconnect: refusedAmong(sources) }
  const since = addDays(today, -ENDED_DATES)
  const giversOf = (kind: MorningKind) =>
    sources.filter(({ newestOf: { [kind]: date } }) => date !== null && date > since)
  const ended = morning.kinds.filter(
    (kind) =>
      !awaited.includes(kind) &&
      recordsOf(morning, kind).length === 0 &&
      !isWithheld(morning, kind) &&
      !live.some((source) => source.newestOf[kind] !== null) &&
      giversOf(kind).length > 0,
  )
  const [first] = ended
  if (first === undefined) return null
  const givers = giversOf(first)
  const dates = givers.flatMap((source) => source.newestOf[first] ?? [])
  return { kinds: ended, date: dates.toSorted().at(-1) ?? null, reconnect: refusedAmong(givers) }
}

const isLive = ({ status }: StoredSource): boolean => status !== "disconnected" && getsNewData({ status })

/** Those that deliver again once the person has connected them again. */
const refusedAmong = (sources: readonly StoredSource[]): string[] =>
  sources.filter(({ status }) => status === "reauthorization_required").map(({ provider }) => provider)

const recordsOf = ({ today, choices }: Morning, kind: MorningKind): StoredRecord[] =>
  choices.flatMap(({ fact, because }) =>
    because !== null && fact.date === today && fact.kind === kind && !(fact.kind === "sleep" && fact.isNap)
      ? [fact]
      : [],
  )

const isWithheld = ({ today, missing }: Morning, kind: MorningKind): boolean =>
  missing.some((one) => one.kind === kind && one.date === today)

/** Whether a source gives a part of the morning: it has given it, or it is new and its vendor has it. */
function gives(
  { provider, status, addedAt, isEmpty, newestOf }: StoredSource,
  kind: MorningKind,
  today: string,
): boolean {
  const [newest] = MORNING_KINDS.flatMap((each) => newestOf[each] ?? [])
    .toSorted()
    .toReversed()
  const own = newestOf[kind]
  if (newest !== undefined) return own !== null && own >= addDays(newest, -FARTHEST_BEHIND)
  const isNew = status === "syncing" || (isEmpty && utcDateOf(addedAt) > addDays(today, -NEW_DATES))
  return isNew && deliversKind(provider, kind)
}
