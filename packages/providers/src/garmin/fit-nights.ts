// What FIT files have about nights: heart rate of the day, HRV and stages of the night.
import { type SeriesType, SLEEP_STAGES } from "@restwell/client"
import type { ArchiveItem } from "../archive/archive-items.ts"
import type { Sample } from "../contract/series.ts"
import { decodeFit, type FitMessage, fitTimeMs } from "./fit.ts"

/** Numbers of the messages. @see FIT profile 21.217 */
const MONITORING = 55
const SLEEP_LEVEL = 275
const HRV_SUMMARY = 370
const HRV_VALUE = 371
const READ: ReadonlySet<number> = new Set([MONITORING, SLEEP_LEVEL, HRV_SUMMARY, HRV_VALUE])

/** HRV has this scale. */
const HRV_SCALE = 128
/** Fields of monitoring. */
const TIMESTAMP_16 = 26
const HEART_RATE = 27
/** Field of hrv_status_summary. */
const LAST_NIGHT_AVERAGE = 1

/** By the number that FIT gives it. 0 is unmeasurable. */
const LEVELS: Readonly<Record<number, (typeof SLEEP_STAGES)[number]>> = { 1: "awake", 2: "light", 3: "deep", 4: "rem" }
/** A level holds from the message before it. A gap this long is no stage. */
const LONGEST_STAGE_MS = 4 * 3_600_000

/** Samples in memory. */
const MOST_WAITING = 50_000

const NO_NIGHT = "FIT files of nights that the archive has no sleep of"

export interface NightTimes {
  readonly startedAt: Date
  readonly endedAt: Date
}

/** Nights begin and end a little apart in the two kinds of files. */
const SLACK_MS = 3_600_000

/** Collects samples of many files, because they are stored faster together. */
export class FitNights {
  readonly #nights: readonly NightTimes[]
  readonly #waiting = new Map<SeriesType, Sample[]>()
  /** By the night. */
  readonly #averages = new Map<NightTimes, { readonly atMs: number; readonly value: number }>()
  #count = 0

  /** @param nights in the order of their starts */
  constructor(nights: readonly NightTimes[]) {
    this.#nights = nights
  }

  /** Reads a file. @returns why it is ignored, if it is @throws {UnreadableFit} */
  read(bytes: Buffer): string | undefined {
    const messages = [...decodeFit(bytes, READ)]
    this.#addHeartRates(messages.filter(({ number }) => number === MONITORING))
    const ofNight = messages.filter(({ number, timestamp }) => number !== MONITORING && timestamp !== undefined)
    const isOfKnownNight = ({ timestamp = 0 }: FitMessage) => this.#nightAt(fitTimeMs(timestamp)) !== undefined
    if (ofNight.length > 0 && !ofNight.some(isOfKnownNight)) return NO_NIGHT
    this.#addStages(ofNight.filter(({ number }) => number === SLEEP_LEVEL))
    for (const { number, fields, timestamp = 0 } of ofNight) {
      const value = fields.get(number === HRV_SUMMARY ? LAST_NIGHT_AVERAGE : 0)
      if (value === undefined || number === SLEEP_LEVEL) continue
      if (number === HRV_SUMMARY) this.#addAverage(fitTimeMs(timestamp), value / HRV_SCALE)
      else this.#add("hrv", { atMs: fitTimeMs(timestamp), value: value / HRV_SCALE })
    }
    return undefined
  }

  /** The average HRV of a night, milliseconds. */
  averageHrvOf(night: NightTimes): number | undefined {
    return this.#averages.get(night)?.value
  }

  /** True if it is time to store what waits. */
  get isFull(): boolean {
    return this.#count >= MOST_WAITING
  }

  /** Takes what waits. */
  take(): ArchiveItem[] {
    const items = [...this.#waiting].map(
      ([type, samples]): ArchiveItem => ({
        type: "series",
        set: { type, ...(type === "hrv" && { method: "rmssd" as const }), samples },
        place: "FIT files",
      }),
    )
    this.#waiting.clear()
    this.#count = 0
    return items
  }

  #add(type: SeriesType, sample: Sample): void {
    this.#waiting.getOrInsertComputed(type, () => []).push(sample)
    this.#count += 1
  }

  /** Most messages have the lower half of their time, which is after the time of the message before. */
  #addHeartRates(messages: readonly FitMessage[]): void {
    let last: number | undefined
    for (const { fields, timestamp } of messages) {
      const low = fields.get(TIMESTAMP_16)
      if (fields.has(253) || last === undefined) last = timestamp
      if (last !== undefined && low !== undefined) last += (low - (last & 0xffff)) & 0xffff
      const value = fields.get(HEART_RATE)
      if (last !== undefined && value !== undefined && value > 0)
        this.#add("heart_rate", { atMs: fitTimeMs(last), value })
    }
  }

  /** A message names the stage up to its own time, from the message before it. */
  #addStages(levels: readonly FitMessage[]): void {
    let before: number | undefined
    for (const { fields, timestamp = 0 } of levels) {
      const stage = LEVELS[fields.get(0) ?? 0]
      const endMs = fitTimeMs(timestamp)
      const durationMs = endMs - (before ?? endMs)
      if (stage && before !== undefined && durationMs > 0 && durationMs <= LONGEST_STAGE_MS)
        this.#add("sleep_stages", { atMs: before, value: SLEEP_STAGES.indexOf(stage), durationMs })
      before = endMs
    }
  }

  /** Of two averages of a night the later counts. */
  #addAverage(atMs: number, value: number): void {
    const night = this.#nightAt(atMs)
    const other = night && this.#averages.get(night)
    if (night && (!other || atMs > other.atMs)) this.#averages.set(night, { atMs, value })
  }

  /** The night that an instant is in. */
  #nightAt(ms: number): NightTimes | undefined {
    let [low, high] = [0, this.#nights.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#nights[middle]?.startedAt.getTime() ?? 0) - SLACK_MS <= ms) low = middle + 1
      else high = middle
    }
    const night = this.#nights[low - 1]
    return night && ms <= night.endedAt.getTime() + SLACK_MS ? night : undefined
  }
}
