/** Values within the day as points: each value, or buckets of a length. */

import { RESOLUTIONS, type Resolution } from "@restwell/client"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { Part } from "./local-days.ts"

const LENGTHS_MS: Readonly<Record<Exclude<Resolution, "raw">, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": HOUR_MS,
  "1d": DAY_MS,
}

export interface RawPoint {
  readonly atMs: number
  readonly durationMs: number
  readonly value: number
  /** Of types that come from all sources. */
  readonly source: string | undefined
}

/** The values of a time. Where values last, each counts by the part of its time that is in the bucket. */
export interface Bucket {
  readonly startMs: number
  /** The start, or the day number of a local date. */
  readonly key: number
  /** Values, without moments that were measured before the bucket and only reach into it. */
  n: number
  weight: number
  sum: number
  min: number
  max: number
}

/** Points of one resolution, as long as they are few enough. */
export interface Points {
  readonly resolution: Resolution
  readonly raw: RawPoint[]
  readonly buckets: Bucket[]
  isOver: boolean
}

interface Growing extends Points {
  /** Buckets with a value of their own. */
  filled: number
}

interface PointsOptions {
  /** The finest resolution that is wanted. */
  readonly finest: Resolution
  /** The only one, where values are never put into buckets. */
  readonly isOnly: boolean
  /** Most points. The coarsest resolution may have `mostOfCoarsest`. */
  readonly most: number
  readonly mostOfCoarsest: number
  /** Epoch milliseconds, the end excluded. */
  readonly fromMs: number
  readonly toMs: number
  /** The instant at which a local date begins. @param day its number @param offsetMs the clock of its first value */
  readonly startOf: (day: number, offsetMs: number) => number
  /** Whether values are rates, which count by their time. Of sums a part counts by its share, and of others each value the same. */
  readonly isRate: boolean
}

/**
 * The points of a resolution and of all coarser ones, in one pass over the values. One that gets too many points is given up, so a long
 * history costs as much as its coarsest resolution.
 */
export class PointsOfAll {
  readonly #options: PointsOptions
  readonly #all: Growing[]
  /** Values, also where their points are given up. */
  count = 0

  constructor(options: PointsOptions) {
    this.#options = options
    const wanted = options.isOnly ? [options.finest] : RESOLUTIONS.slice(RESOLUTIONS.indexOf(options.finest))
    this.#all = wanted.map((resolution) => ({ resolution, raw: [], buckets: [], isOver: false, filled: 0 }))
  }

  /** The finest resolution with few enough points. Undefined where none has. */
  finest(): Points | undefined {
    const finest = this.#all.find(({ isOver }) => !isOver)
    return finest && { ...finest, buckets: this.#filled(finest) }
  }

  /** A date begins at midnight of the clock then, whenever its first value was. */
  #filled({ buckets, resolution }: Growing): Bucket[] {
    const filled = buckets.filter(({ n }) => n > 0)
    return resolution === "1d"
      ? filled.map(({ key, startMs, ...figures }) => ({
          ...figures,
          key,
          startMs: this.#options.startOf(key, key * DAY_MS - startMs),
        }))
      : filled
  }

  /**
   * @param part in about the order of time
   * @param source of the value, where it is known
   * @returns whether it is in the time that is wanted
   */
  add(part: Part, source?: string): boolean {
    const { fromMs, toMs } = this.#options
    const { atMs, durationMs } = part
    const from = part.fromMs > fromMs ? part.fromMs : fromMs
    const to = part.toMs < toMs ? part.toMs : toMs
    if (part.toMs === atMs ? atMs < fromMs || atMs >= toMs : from >= to) return false
    const isOwn = durationMs > 0 || atMs >= from
    if (isOwn) this.count += 1
    const wanted = { ...part, fromMs: from, toMs: to }
    for (const points of this.#all) {
      if (points.isOver) continue
      if (points.resolution === "raw") this.#addRaw(points, part, source)
      else this.#addToBuckets(points, points.resolution, wanted)
    }
    return isOwn
  }

  /** A value is listed once, where it begins. */
  #addRaw(points: Growing, { atMs, durationMs, value, fromMs }: Part, source: string | undefined): void {
    if (fromMs !== atMs || atMs < this.#options.fromMs) return
    if (points.raw.length === this.#options.most) giveUp(points)
    else points.raw.push({ atMs, durationMs, value, source })
  }

  #addToBuckets(points: Growing, resolution: keyof typeof LENGTHS_MS, part: Part): void {
    const { most: mostOfOthers, mostOfCoarsest, isRate } = this.#options
    const { atMs, durationMs, value, fromMs: from, toMs: to } = part
    const isDate = resolution === "1d"
    const lengthMs = LENGTHS_MS[resolution]
    // Shorter buckets than an hour begin at the same instants on every clock.
    const offsetMs = resolution === "1h" ? part.offsetMs : 0
    let startMs = isDate
      ? part.day * DAY_MS - part.offsetMs
      : Math.floor((from + offsetMs) / lengthMs) * lengthMs - offsetMs
    do {
      // A part is in one date, which may last 23 or 25 hours.
      const endMs = isDate ? to : Math.min(to, startMs + lengthMs)
      const beginMs = isDate || from > startMs ? from : startMs
      const weight = to === atMs ? 1 : (endMs - beginMs) / (isRate ? 1 : durationMs)
      const bucket = bucketOf(points.buckets, isDate ? part.day : startMs, startMs)
      if (durationMs > 0 || atMs >= beginMs) {
        if (bucket.n === 0) points.filled += 1
        bucket.n += 1
      }
      bucket.weight += weight
      bucket.sum += value * weight
      if (value < bucket.min) bucket.min = value
      if (value > bucket.max) bucket.max = value
      startMs += lengthMs
    } while (!isDate && startMs < to)
    if (points.filled > (isDate ? mostOfCoarsest : mostOfOthers)) giveUp(points)
  }
}

/** The bucket of a key, which is made where there is none. Values come in about the order of time, so it is one of the last. */
function bucketOf(buckets: Bucket[], key: number, startMs: number): Bucket {
  let index = buckets.length - 1
  while ((buckets[index]?.key ?? Number.NEGATIVE_INFINITY) > key) index -= 1
  const bucket = buckets[index]
  if (bucket?.key === key) return bucket
  const made = { key, startMs, n: 0, weight: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
  buckets.splice(index + 1, 0, made)
  return made
}

function giveUp(points: Growing): void {
  points.isOver = true
  points.raw.length = 0
  points.buckets.length = 0
}
