/**
 * Which counts are added up: steps, energy beyond rest, and distance of several devices, in minutes, hours and days.
 *
 * A sample is a value with a device, a start and an end, or a start alone: a moment. Equal ones are one. A date's sum is that of all pieces
 * of its samples that count, and a series has the same pieces, so both are always equal:
 *
 * 1. One device. Samples of one start and end are added up. A sample that lasts as long as others of its device together is another
 *    grouping of them: an hour beside its minutes, a day beside its hours. The grouping that counted more answers for that time, the finer
 *    one of equals, so it does not matter which came first. Of two that overlap by a part, the earlier counts, and the rest of the later.
 * 2. Several devices. At each moment one counts: a watch before a phone, a phone before an app. A moment is for the minute that it begins,
 *    and counts if no earlier device has anything in that minute.
 * 3. Apps that copy a vendor's counts answer for dates on which no device counted anything, one of them alone. Strava's rows are shown
 *    where nothing else is.
 *
 * A sample belongs to the local date of its own UTC offset. One that lasts past midnight is divided by time, unless it is that of a local
 * day on which clocks went back.
 * @module
 */

import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import { isOfStrava } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { DEVICE_KINDS, type DeviceKind } from "../contract/series.ts"

/** A device or app that counts. */
export interface CountingDevice {
  /** Devices of different sources are counted apart. @default all are of one */
  readonly provider?: string
  readonly name: string
  readonly kind: DeviceKind
}

/** The minute that a moment is for, beside other devices. */
const MOMENT_MS = MINUTE_MS
/** More devices and apps than anyone has. */
const MOST_DEVICES = 500

const endOf = ({ atMs, durationMs = 0 }: Sample): number => atMs + durationMs
/** The time in which no later device counts. */
const coverOf = (sample: Sample): number => sample.atMs + (sample.durationMs || MOMENT_MS)

/** Above 0 for devices that count only where no other one did. */
const lastResortOf = ({ name, kind }: CountingDevice): number => (isOfStrava(name) ? 2 : kind === "copy" ? 1 : 0)

/** Pieces of samples that count, of one device, oldest first. */
export interface Counted<Device> {
  readonly device: Device
  readonly pieces: readonly Sample[]
}

/** Samples after which a gap is looked for. */
const ENOUGH_SAMPLES = 1_000

/** Sweeps the samples of several devices. It has those in memory that a later one may change: no gap in time is between them. */
export class CountSweep<Device extends CountingDevice> {
  #samples = new Map<Device, Sample[]>()
  #count = 0
  #reachMs = Number.NEGATIVE_INFINITY

  /** @param sample begins no earlier than the one before @returns what no later sample can change */
  add(device: Device, sample: Sample): readonly Counted<Device>[] {
    const complete = this.#count >= ENOUGH_SAMPLES && sample.atMs >= this.#reachMs ? this.rest() : []
    this.#samples.getOrInsertComputed(device, () => []).push(sample)
    this.#count += 1
    this.#reachMs = Math.max(this.#reachMs, coverOf(sample))
    return complete
  }

  rest(): readonly Counted<Device>[] {
    const samples = this.#samples
    this.#samples = new Map()
    this.#count = 0
    return [...Map.groupBy(samples, ([{ provider }]) => provider).values()].flatMap(countedPieces)
  }
}

/** Returns the pieces of all devices of a source. Those of copies are whole: a date chooses among them. */
function countedPieces<Device extends CountingDevice>(
  samples: readonly (readonly [Device, readonly Sample[]])[],
): readonly Counted<Device>[] {
  const ordered = samples.toSorted(([one], [other]) => compareDevices(one, other)).slice(0, MOST_DEVICES)
  let covered: readonly Interval[] = []
  return ordered.map(([device, all], index) => {
    const own = ownPieces(all)
    if (lastResortOf(device) > 0) return { device, pieces: own }
    const pieces = index === 0 ? own : freeParts(own, covered)
    covered = union(covered, pieces)
    return { device, pieces }
  })
}

/** The order in which devices count. */
const compareDevices = (one: CountingDevice, other: CountingDevice): number =>
  DEVICE_KINDS.indexOf(one.kind) - DEVICE_KINDS.indexOf(other.kind) ||
  (one.name < other.name ? -1 : Number(one.name > other.name))

/** Samples of one start and end. Groups are in the order of their starts, the longer first, so those within a group follow it. */
interface Group {
  readonly samples: Sample[]
  readonly startMs: number
  readonly endMs: number
  /** What its samples counted. */
  own: number
  /** What the groups within it counted. */
  within: number
  /** Index of the last group that it is within. */
  parent: number
  /** The part of it that no earlier group of the same parent covers. */
  share: number
  /** Up to which the groups within it cover its time. */
  reachMs: number
}

/** Rule 1. */
function ownPieces(samples: readonly Sample[]): Sample[] {
  const groups = nested(groupsOf(samples))
  for (const { own, within, share, parent } of groups.toReversed()) {
    const outer = groups[parent]
    if (outer) outer.within += Math.max(own, within) * share
  }
  const pieces: Sample[] = []
  let [reachMs, answeredUntilMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const group of groups) {
    const isAnswered = isWithin(group, Number.NEGATIVE_INFINITY, answeredUntilMs)
    if (isAnswered) continue
    if (group.within > 0 && group.within >= group.own * (1 - ROUNDING)) continue
    const fromMs = Math.max(group.startMs, reachMs)
    const isMoment = group.startMs === group.endMs
    if (isMoment ? group.startMs >= reachMs : fromMs < group.endMs)
      for (const sample of group.samples) pieces.push(partOf(sample, fromMs, group.endMs))
    reachMs = Math.max(reachMs, group.endMs)
    if (!isMoment) answeredUntilMs = group.endMs
  }
  return pieces
}

/** Sums of fractions are not exact. */
const ROUNDING = 1e-9

/** Rule 1's groups, the longer first of one start. */
function groupsOf(samples: readonly Sample[]): Group[] {
  const groups: Group[] = []
  let before: Sample | undefined
  for (const sample of isInOrder(samples) ? samples : samples.toSorted(compareSpans)) {
    const isOfGroup = before?.atMs === sample.atMs && endOf(before) === endOf(sample)
    const group = groups.at(-1)
    if (!isOfGroup || !group)
      groups.push({
        samples: [sample],
        startMs: sample.atMs,
        endMs: endOf(sample),
        own: sample.value,
        within: 0,
        parent: -1,
        share: 1,
        reachMs: sample.atMs,
      })
    else if (before?.value !== sample.value) {
      group.samples.push(sample)
      group.own += sample.value
    }
    before = sample
  }
  return groups
}

const compareSpans = (one: Sample, other: Sample): number =>
  one.atMs - other.atMs || endOf(other) - endOf(one) || one.value - other.value

const isInOrder = (samples: readonly Sample[]): boolean =>
  samples.every((sample, index) => {
    const before = samples[index - 1]
    return before === undefined || compareSpans(before, sample) <= 0
  })

const isWithin = ({ startMs, endMs }: Group, outerStartMs: number, outerEndMs: number): boolean =>
  startMs >= outerStartMs && (startMs === endMs ? startMs < outerEndMs : endMs <= outerEndMs)

/** Finds the group that each is within. A group that a later one only overlaps has no more groups within it than the later one has. */
function nested(groups: Group[]): Group[] {
  const open: number[] = []
  for (const [index, group] of groups.entries()) {
    for (;;) {
      const outer = groups[open.at(-1) ?? -1]
      if (!outer || isWithin(group, outer.startMs, outer.endMs)) break
      open.pop()
    }
    group.parent = open.at(-1) ?? -1
    const outer = groups[group.parent]
    const lengthMs = group.endMs - group.startMs
    if (outer && lengthMs > 0) {
      group.share = Math.max(0, group.endMs - Math.max(group.startMs, outer.reachMs)) / lengthMs
      outer.reachMs = Math.max(outer.reachMs, group.endMs)
    }
    open.push(index)
  }
  return groups
}

/** The part of a sample from one time to another. Its value is divided by time. */
export function partOf(sample: Sample, fromMs: number, toMs: number): Sample {
  const { durationMs = 0 } = sample
  const partMs = toMs - fromMs
  if (durationMs === 0 || partMs === durationMs) return sample
  return { ...sample, atMs: fromMs, durationMs: partMs, value: (sample.value * partMs) / durationMs }
}

interface Interval {
  readonly startMs: number
  endMs: number
}

/** Rule 2. @param pieces oldest first @param covered oldest first, none of them overlaps another */
function freeParts(pieces: readonly Sample[], covered: readonly Interval[]): Sample[] {
  const free: Sample[] = []
  let next = 0
  for (const piece of pieces) {
    const endMs = endOf(piece)
    let fromMs = piece.atMs
    while ((covered[next]?.endMs ?? Number.POSITIVE_INFINITY) <= fromMs) next += 1
    if (endMs === fromMs) {
      if ((covered[next]?.startMs ?? Number.POSITIVE_INFINITY) >= coverOf(piece)) free.push(piece)
      continue
    }
    for (let index = next; fromMs < endMs; index += 1) {
      const { startMs, endMs: untilMs } = covered[index] ?? NEVER
      const toMs = Math.min(startMs, endMs)
      if (toMs > fromMs) free.push(partOf(piece, fromMs, toMs))
      fromMs = Math.max(fromMs, untilMs)
    }
  }
  return free
}

const NEVER: Interval = { startMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }

/** Both are in order. */
function union(covered: readonly Interval[], pieces: readonly Sample[]): Interval[] {
  const all: Interval[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [known, piece] = [covered[left], pieces[right]]
    if (!known && !piece) return all
    const isKnown = !piece || (known !== undefined && known.startMs <= piece.atMs)
    const startMs = isKnown ? (known?.startMs ?? 0) : piece.atMs
    const endMs = isKnown ? (known?.endMs ?? 0) : coverOf(piece)
    if (isKnown) left += 1
    else right += 1
    const last = all.at(-1)
    if (last && startMs <= last.endMs) last.endMs = Math.max(last.endMs, endMs)
    else all.push({ startMs, endMs })
  }
}

/** What devices counted by local date. Pieces without a UTC offset are taken for UTC. */
export class DayCounts<Device extends CountingDevice> {
  readonly #days = new Map<string, Map<Device, number>>()

  add(counted: readonly Counted<Device>[]): void {
    for (const { device, pieces } of counted)
      for (const piece of pieces)
        for (const { date, part } of partsByDate(piece)) {
          const ofDevices = this.#days.getOrInsertComputed(date, () => new Map<Device, number>())
          ofDevices.set(device, (ofDevices.get(device) ?? 0) + part.value)
        }
  }

  get dates(): readonly string[] {
    return [...this.#days.keys()]
  }

  /** The sum of a date, and the device that counted most of it. Undefined where nothing counted. */
  of(date: string): { readonly device: string; readonly value: number } | undefined {
    const sums = this.#days.get(date)
    if (!sums) return undefined
    const counting = countingDevices([...sums.keys()]).filter(({ name }) => !isOfStrava(name))
    const [most] = counting.toSorted((one, other) => (sums.get(other) ?? 0) - (sums.get(one) ?? 0))
    return most && { device: most.name, value: counting.reduce((sum, device) => sum + (sums.get(device) ?? 0), 0) }
  }
}

/** Rule 3: the devices whose pieces count on a date, of those with pieces there. */
export function countingDevices<Device extends CountingDevice>(devices: readonly Device[]): readonly Device[] {
  const own = devices.filter((device) => lastResortOf(device) === 0)
  if (own.length > 0) return own
  return devices
    .toSorted((one, other) => lastResortOf(one) - lastResortOf(other) || compareDevices(one, other))
    .slice(0, 1)
}

/** Whether a count is that of a local day on which clocks went back: it begins at midnight and is longer than 24 hours. */
export const isOfLongDay = (atMs: number, durationMs: number, offsetMs: number): boolean =>
  durationMs > DAY_MS && (atMs + offsetMs) % DAY_MS === 0

/** The parts of a sample by local date. One without a UTC offset is taken for UTC. */
export function* partsByDate(sample: Sample): Generator<{ readonly date: string; readonly part: Sample }> {
  const { atMs, durationMs = 0, utcOffsetMinutes = 0 } = sample
  const offsetMs = utcOffsetMinutes * MINUTE_MS
  const endMs = atMs + durationMs
  const isOfOneDate = isOfLongDay(atMs, durationMs, offsetMs)
  let fromMs = atMs
  do {
    const day = Math.floor((fromMs + offsetMs) / DAY_MS)
    const toMs = isOfOneDate ? endMs : Math.min(endMs, (day + 1) * DAY_MS - offsetMs)
    yield { date: utcDateOf(new Date(day * DAY_MS)), part: partOf(sample, fromMs, toMs) }
    fromMs = toMs
  } while (fromMs < endMs)
}
