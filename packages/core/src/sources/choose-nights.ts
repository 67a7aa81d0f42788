/** Which source answers for the night of each date, by whole nights. */
import { DAY_MS } from "@restwell/client/time-units"
import { groupNights, type PartsOfNight } from "@restwell/providers"
import { asleepMsOf, type Candidate, partOfSleep, type SleepCandidate } from "../store/stored-record.ts"
import {
  COMPLETE,
  type Contender,
  chooseSourceOfDate,
  compareRanks,
  FRAGMENT,
  PARTIAL,
  type Rank,
  type Ranking,
} from "./rank.ts"

/** A main sleep. */
export const isNight = (candidate: Candidate): candidate is MainSleep => candidate.kind === "sleep" && !candidate.isNap

export type Sleep = Extract<Candidate, { readonly kind: "sleep" }>
type MainSleep = Sleep & { readonly isNap: false }

/** A device that finds no REM sleep has no stages to compare. */
export const hasStages = ({ stages }: SleepCandidate): boolean => stages?.remMs !== undefined

/** Milliseconds since the epoch. */
export type Span = Pick<Sleep, "startMs" | "endMs">

/** A nap is a part of a night that has this part of it. */
const PART_OF_NIGHT = 0.5

/** Returns whether a nap is a part of one of these main sleeps. */
export function partsOf(nights: readonly Span[]): (nap: Span) => boolean {
  const byStart = Map.groupBy(nights, ({ startMs }) => Math.floor(startMs / DAY_MS))
  return ({ startMs, endMs }) => {
    // The middle of such a nap is in the night, and no stored sleep lasts longer than a day.
    const day = Math.floor((startMs + endMs) / 2 / DAY_MS)
    return [...(byStart.get(day - 1) ?? []), ...(byStart.get(day) ?? [])].some((night) => {
      const sharedMs = Math.min(endMs, night.endMs) - Math.max(startMs, night.startMs)
      return sharedMs > 0 && sharedMs >= PART_OF_NIGHT * (endMs - startMs)
    })
  }
}

/** A whole night of a source as it is compared with those of others. */
interface ComparedNight extends Span {
  readonly provider: string
  readonly date: string
  /** Time in bed, milliseconds. */
  readonly inBedMs: number
  readonly asleepMs: number | null
  readonly isPending: boolean
  readonly completeness: number
  readonly fromArchive: boolean
  /** Present if all of it is a copy. */
  readonly copyOf?: string
  readonly records: readonly MainSleep[]
}

interface RankedNight extends Contender {
  readonly night: ComparedNight
}

function comparedNight({ sleeps, counted, last }: PartsOfNight<MainSleep>): ComparedNight {
  const [first] = counted
  const asleep = counted.flatMap((sleep) => asleepMsOf(sleep) ?? [])
  return {
    provider: first.provider,
    date: last.date,
    startMs: first.startMs,
    endMs: last.endMs,
    inBedMs: counted.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0),
    asleepMs: asleep.length < counted.length ? null : asleep.reduce((sum, each) => sum + each, 0),
    isPending: counted.some(({ scoreState }) => scoreState === "pending"),
    completeness: counted.every(hasStages) ? COMPLETE : PARTIAL,
    fromArchive: counted.every(({ fromArchive }) => fromArchive),
    ...(first.copyOf !== undefined && counted.every(({ copyOf }) => copyOf !== undefined) && { copyOf: first.copyOf }),
    records: sleeps,
  }
}

/** Chooses among whole nights. Returns the spans of the main sleeps that answer. */
export function chooseNights(sleeps: readonly MainSleep[], { rankOf, reasons }: Ranking): MainSleep[] {
  const nights = groupNights(sleeps, partOfSleep).map(comparedNight)
  const overlapping = overlaps(nights)
  const fragments = fragmentsAmong(overlapping)
  const contenders = nights.map((night): RankedNight => {
    const { completeness, records } = night
    const rank = rankOf({ ...night, kind: "sleep" }, fragments.has(night) ? FRAGMENT : completeness)
    return { night, rank, records }
  })
  const ofDates = Map.groupBy(contenders, ({ night }) => night.date)
  const chosen = [...ofDates.values()].flatMap((ofDate) => chooseSourceOfDate(ofDate, reasons))
  // What another date's night has of this sleep is no second night: a fragment, and the same sleep by a source that ranks lower.
  const answering = new Map(chosen.map(({ night, rank }) => [night, rank]))
  for (const { night, rank } of chosen.toSorted((one, other) => compareRanks(other.rank, one.rank))) {
    const others = (overlapping.get(night) ?? []).filter((other) => {
      const rankOfOther = answering.get(other)
      if (!rankOfOther || fragments.has(night)) return rankOfOther !== undefined
      return !fragments.has(other) && compareRanks(rankOfOther, rank) < 0
    })
    if (!partsOf(others)(night)) continue
    for (const record of night.records) reasons.delete(record)
    answering.delete(night)
  }
  for (const { night, rank } of nextOfDates(ofDates, { answering, overlapping, reasons })) answering.set(night, rank)
  return [...answering.keys()].flatMap(({ records }) => records)
}

/** For each date that has lost its night, the nights of the source that comes next, of those that share no half with an answering night. */
function nextOfDates(
  ofDates: ReadonlyMap<string, readonly RankedNight[]>,
  {
    answering,
    overlapping,
    reasons,
  }: Pick<Ranking, "reasons"> & {
    readonly answering: ReadonlyMap<ComparedNight, Rank>
    readonly overlapping: ReadonlyMap<ComparedNight, readonly ComparedNight[]>
  },
): RankedNight[] {
  return [...ofDates.values()].flatMap((ofDate) => {
    if (ofDate.some(({ night }) => answering.has(night))) return []
    const left = ofDate.filter(({ night }) => {
      const others = (overlapping.get(night) ?? []).filter((other) => answering.has(other))
      return !partsOf(others)(night) && !others.some(partsOf([night]))
    })
    return chooseSourceOfDate(left, reasons)
  })
}

/** Returns for each night those of other sources at the same time. */
function overlaps(nights: readonly ComparedNight[]): ReadonlyMap<ComparedNight, readonly ComparedNight[]> {
  const found = new Map<ComparedNight, ComparedNight[]>()
  let running: ComparedNight[] = []
  for (const next of nights.toSorted((one, other) => one.startMs - other.startMs)) {
    running = running.filter(({ endMs }) => endMs > next.startMs)
    for (const other of running) {
      if (other.provider === next.provider) continue
      found.getOrInsertComputed(other, () => []).push(next)
      found.getOrInsertComputed(next, () => []).push(other)
    }
    running.push(next)
  }
  return found
}

/** A source with less than this part of another source's sleep has not measured the night. */
const WHOLE_NIGHT = 0.6

/** Returns the nights of sources that have far less of another source's night. */
function fragmentsAmong(overlapping: ReadonlyMap<ComparedNight, readonly ComparedNight[]>): ReadonlySet<ComparedNight> {
  const fragments = new Set<ComparedNight>()
  for (const [night, others] of overlapping) {
    const wholeMs = sleptMs(night)
    if (wholeMs === null) continue
    for (const ofSource of Map.groupBy(others, ({ provider }) => provider).values()) {
      // Time in bed is the most that a sleep without a time asleep can be.
      const ownMs = ofSource.reduce((sum, { asleepMs, inBedMs }) => sum + (asleepMs ?? inBedMs), 0)
      if (ownMs < WHOLE_NIGHT * wholeMs) for (const fragment of ofSource) fragments.add(fragment)
    }
  }
  return fragments
}

/** What other sleeps are measured by. A night that is still being scored has only its times, and one without sleep says nothing. */
const sleptMs = ({ asleepMs, inBedMs, isPending }: ComparedNight): number | null =>
  asleepMs ?? (isPending ? inBedMs : null)
