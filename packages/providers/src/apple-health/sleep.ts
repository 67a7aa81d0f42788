// Nights and naps of a collector: sessions of each device, and the device that answers for each night.

import { SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { DEVICE_KINDS, type DeviceKind } from "../contract/series.ts"
import { joinSpans } from "../normalize/derive.ts"
import { groupNights, runsOf } from "../normalize/nights.ts"
import { Cover } from "./cover.ts"
import type { RowColumns, ValueSpan } from "./rows.ts"
import { SharedSpans } from "./shared-spans.ts"
import type { Zones } from "./zones.ts"

/** Rows of one device with a longer pause between them are two sleeps. */
const LONGEST_PAUSE_MS = HOUR_MS
/** A sleep of this length is a night, whenever it is. */
const NIGHT_MS = 3 * HOUR_MS
/** Local hours of which a shorter sleep has its greater part at night. */
const NIGHT_HOURS = { from: 0, to: 5 } as const
/** Sleeps of two devices that share this part of the shorter one are the same sleep. */
const SHARED_PART = 0.5
/** More sleeps of one date than anyone has. The first ones by rank count. */
const MOST_SLEEPS = 50

/** What counts where rows of one device overlap. */
const BY_WEIGHT = ["awake", "deep", "rem", "light", "asleep", "in_bed"] as const satisfies readonly SleepStage[]

/** One sleep as one device saw it. */
export interface SleepSession {
  readonly device: string
  readonly kind: DeviceKind
  readonly startMs: number
  readonly endMs: number
  /** Without overlaps, oldest first. The value is an index in SLEEP_STAGES. */
  readonly segments: readonly ValueSpan[]
  /** Milliseconds in each stage. */
  readonly ms: Readonly<Record<SleepStage, number>>
  readonly asleepMs: number
  /** Whether the device gives stages. */
  readonly hasStages: boolean
}

/** The sleep of a date that answers. */
export interface ChosenSleep extends SleepSession {
  /** Local date of waking, YYYY-MM-DD. */
  readonly date: string
  readonly isNap: boolean
}

/** The rows of a device as sleeps. One of waking alone is none. */
export function sessionsOf(device: string, kind: DeviceKind, rows: RowColumns): SleepSession[] {
  const sessions: ValueSpan[][] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const row of rows.within(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
    const last = sessions.at(-1)
    if (last && row.startMs - reach <= LONGEST_PAUSE_MS) last.push(row)
    else sessions.push([row])
    reach = last && row.startMs - reach <= LONGEST_PAUSE_MS ? Math.max(reach, row.endMs) : row.endMs
  }
  return sessions
    .map((session) => sessionOf(device, kind, session))
    .filter(({ asleepMs, ms }) => asleepMs > 0 || ms.in_bed > 0)
}

function sessionOf(device: string, kind: DeviceKind, rows: readonly ValueSpan[]): SleepSession {
  const cover = new Cover()
  const ms = Object.fromEntries(SLEEP_STAGES.map((stage) => [stage, 0]))
  const sums = { awake: 0, light: 0, deep: 0, rem: 0, asleep: 0, in_bed: 0, ...ms }
  for (const stage of BY_WEIGHT) {
    const value = SLEEP_STAGES.indexOf(stage)
    for (const piece of cover.take(rows.filter((row) => row.value === value && row.endMs > row.startMs)))
      sums[stage] += piece.endMs - piece.startMs
  }
  const staged = sums.light + sums.deep + sums.rem
  const segments = joinSpans(cover.pieces.map(({ startMs, endMs, value }) => ({ startMs, endMs, value })))
  return {
    device,
    kind,
    startMs: rows[0]?.startMs ?? 0,
    endMs: rows.reduce((end, row) => Math.max(end, row.endMs), 0),
    segments,
    ms: sums,
    asleepMs: staged + sums.asleep,
    hasStages: staged > 0,
  }
}

/**
 * Chooses one device for each sleep: one that knows sleep, then one with stages, then one whose rows are no copies, then the longest, then
 * by name. Sleeps that share half of it are left out, also of the same device: a program may send the sums of a night again with another
 * start. So are naps within a night.
 */
export function chooseSleeps(sessions: readonly SleepSession[], zones: Zones): ChosenSleep[] {
  const dated = sessions.map((session) => ({
    ...session,
    date: zones.dateAt(session.endMs, session.device),
    isNap: !isNight(session, zones),
  }))
  const shared = new SharedSpans(SHARED_PART, dated)
  const counts = new Map<string, number>()
  const chosen: ChosenSleep[] = []
  for (const each of dated.toSorted(byRank)) {
    const count = counts.get(each.date) ?? 0
    if (count >= MOST_SLEEPS || shared.has(each)) continue
    counts.set(each.date, count + 1)
    shared.add(each)
    chosen.push(each)
  }
  return withPartsOfNights(chosen, zones).sort((one, other) => one.startMs - other.startMs)
}

/** A short part in the evening or in the morning is no nap: a collector does not call it one. Each device tells its own parts. */
function withPartsOfNights(sleeps: readonly ChosenSleep[], zones: Zones): ChosenSleep[] {
  const ofDevices = Map.groupBy(sleeps, ({ device }) => device)
  return [...ofDevices].flatMap(([device, own]) =>
    runsOf(own).flatMap((parts) => {
      const isNap = parts.every((part) => part.isNap) && !isNight(joined(device, parts), zones)
      return parts.map((part) => ({ ...part, isNap }))
    }),
  )
}

const joined = (device: string, parts: readonly ChosenSleep[]): SleepLength => ({
  device,
  startMs: Math.min(...parts.map(({ startMs }) => startMs)),
  endMs: Math.max(...parts.map(({ endMs }) => endMs)),
  asleepMs: parts.reduce((sum, { asleepMs }) => sum + asleepMs, 0),
})

/** The night of a date. */
export interface NightOfDate {
  /** Those whose figures make it up, of one device. */
  readonly parts: readonly ChosenSleep[]
  readonly device: string
  readonly startMs: number
  readonly endMs: number
}

/** The night of each date: the longest of its whole nights. @param sleeps that were chosen */
export function nightsByDate(sleeps: readonly ChosenSleep[]): ReadonlyMap<string, NightOfDate> {
  const nights = new Map<string, NightOfDate>()
  const mainSleeps = sleeps.filter(({ isNap }) => !isNap)
  for (const { counted, last } of groupNights(mainSleeps, (sleep) => ({ ...sleep, provider: "", isPending: false }))) {
    const [first] = counted
    const night = { parts: counted, device: first.device, startMs: first.startMs, endMs: last.endMs }
    const other = nights.get(last.date)
    if (!other || night.endMs - night.startMs > other.endMs - other.startMs) nights.set(last.date, night)
  }
  return nights
}

const byRank = (one: ChosenSleep, other: ChosenSleep): number =>
  Number(one.isNap) - Number(other.isNap) ||
  Number(other.asleepMs > 0) - Number(one.asleepMs > 0) ||
  Number(other.hasStages) - Number(one.hasStages) ||
  Number(one.kind === "copy") - Number(other.kind === "copy") ||
  other.asleepMs + other.ms.awake - (one.asleepMs + one.ms.awake) ||
  DEVICE_KINDS.indexOf(one.kind) - DEVICE_KINDS.indexOf(other.kind) ||
  (one.device === other.device ? one.startMs - other.startMs : one.device < other.device ? -1 : 1)

type SleepLength = Pick<SleepSession, "device" | "startMs" | "endMs" | "asleepMs">

function isNight({ device, startMs, endMs, asleepMs }: SleepLength, zones: Zones): boolean {
  const lengthMs = endMs - startMs
  if ((asleepMs > 0 ? asleepMs : lengthMs) >= NIGHT_MS) return true
  const midnightMs = zones.midnightOf(zones.dateAt(endMs, device))
  const [fromMs, toMs] = [midnightMs + NIGHT_HOURS.from * HOUR_MS, midnightMs + NIGHT_HOURS.to * HOUR_MS]
  return Math.min(endMs, toMs) - Math.max(startMs, fromMs) > lengthMs / 2
}
