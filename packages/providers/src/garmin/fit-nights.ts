// What is read of FIT files: heart rates of days and activities, HRV and stages of nights.

import { type SeriesType, SLEEP_STAGES } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import type { ArchiveItem } from "../archive/archive-items.ts"
import { SLEEP_PHASES, type SleepCourse, type SleepPhase } from "../contract/records.ts"
import type { Sample } from "../contract/series.ts"
import { COURSE_INTERVAL_MS, courseOf, joinSpans, type PhaseSpan } from "../normalize/derive.ts"
import { MOST_DIFFERENCE } from "../normalize/phase-sums.ts"
import { decodeFit, type FitMessage, fitTimeMs, type WantedFields } from "./fit.ts"

/** Numbers of the messages. @see FIT profile 21.217 */
const RECORD = 20
const EVENT = 21
const MONITORING = 55
const SLEEP_LEVEL = 275
const HRV_SUMMARY = 370
const HRV_VALUE = 371

/** HRV has this scale. */
const HRV_SCALE = 128
/** Fields of monitoring. */
const TIMESTAMP_16 = 26
const HEART_RATE = 27
/** Field of a record, which an activity has every second or so. */
const RECORD_HEART_RATE = 3
/** Fields of event, and the event of a sleep, which devices write although the profile does not name it. */
const [EVENT_NAME, EVENT_TYPE] = [0, 1]
const SLEEP_EVENT = 74
const START = 0
/** Field of hrv_status_summary. */
const LAST_NIGHT_AVERAGE = 1
/** Field of sleep_level and of hrv_value. */
const VALUE = 0
const READ: WantedFields = new Map([
  [RECORD, [RECORD_HEART_RATE]],
  [EVENT, [EVENT_NAME, EVENT_TYPE]],
  [MONITORING, [TIMESTAMP_16, HEART_RATE]],
  [SLEEP_LEVEL, [VALUE]],
  [HRV_SUMMARY, [LAST_NIGHT_AVERAGE]],
  [HRV_VALUE, [VALUE]],
])

/** By the number that FIT gives it. 0 is unmeasurable. */
const LEVELS: Readonly<Record<number, SleepPhase>> = { 1: "awake", 2: "light", 3: "deep", 4: "rem" }
/** A level holds from the message before it. A gap this long is no stage. */
const LONGEST_STAGE_MS = 4 * HOUR_MS

/** Stands for no phase beside the digits of phases. */
const UNKNOWN = "-"

/** Samples in memory. */
const MOST_WAITING = 50_000

const NO_NIGHT = "FIT files of nights that the archive has no sleep of"

export interface NightTimes {
  readonly startedAt: Date
  readonly endedAt: Date
  /** The night's own sums, milliseconds. Absent for a nap, which has none. */
  readonly stageMs?: Readonly<Record<SleepPhase, number | undefined>>
}

/** The phases of a night as digits, which are indexes in SLEEP_PHASES: an archive has many nights. */
interface NightPhases {
  readonly digits: string
  /** From the night's own sums, milliseconds. */
  readonly differenceMs: number
}

/** Nights begin and end a little apart in the two kinds of files. */
const SLACK_MS = HOUR_MS

/** Collects samples of many files, because they are stored faster together. */
export class FitNights {
  readonly #nights: readonly NightTimes[]
  readonly #waiting = new Map<SeriesType, Sample[]>()
  /** By the night. */
  readonly #averages = new Map<NightTimes, { readonly atMs: number; readonly value: number }>()
  /** By the night, of the file that is nearest to its sums. */
  readonly #phases = new Map<NightTimes, NightPhases>()
  #count = 0

  /** @param nights in the order of their starts */
  constructor(nights: readonly NightTimes[]) {
    this.#nights = nights
  }

  /** Reads a file. @returns why it is ignored, if it is @throws {UnreadableFit} */
  read(bytes: Buffer): string | undefined {
    const messages: FitMessage[] = []
    for (const message of decodeFit(bytes, READ))
      if (message.number === RECORD) this.#addHeartRate(message.timestamp, message.fields.get(RECORD_HEART_RATE))
      else messages.push(message)
    this.#addHeartRates(messages.filter(({ number }) => number === MONITORING))
    const ofNight = messages.filter(
      (message) =>
        message.number !== MONITORING &&
        message.timestamp !== undefined &&
        (message.number !== EVENT || isStartOfSleep(message)),
    )
    const isOfKnownNight = ({ timestamp = 0 }: FitMessage) => this.#nightAt(fitTimeMs(timestamp)) !== undefined
    if (ofNight.length > 0 && !ofNight.some(isOfKnownNight)) return NO_NIGHT
    this.#addStages(ofNight.filter(({ number }) => number === SLEEP_LEVEL || number === EVENT))
    for (const { number, fields, timestamp = 0 } of ofNight) {
      const value = fields.get(number === HRV_SUMMARY ? LAST_NIGHT_AVERAGE : VALUE)
      if (value === undefined || number === SLEEP_LEVEL || number === EVENT) continue
      if (number === HRV_SUMMARY) this.#addAverage(fitTimeMs(timestamp), value / HRV_SCALE)
      else this.#add("hrv", { atMs: fitTimeMs(timestamp), value: value / HRV_SCALE })
    }
    return undefined
  }

  /** The average HRV of a night, milliseconds. */
  averageHrvOf(night: NightTimes): number | undefined {
    return this.#averages.get(night)?.value
  }

  /** The phases of a night, where its sums are those of the night. */
  courseOf(night: NightTimes): SleepCourse | undefined {
    const found = this.#phases.get(night)
    const lengthMs = night.endedAt.getTime() - night.startedAt.getTime()
    if (!found || found.differenceMs > MOST_DIFFERENCE * lengthMs) return undefined
    return {
      intervalMs: COURSE_INTERVAL_MS,
      phases: [...found.digits].map((digit) => SLEEP_PHASES[Number(digit)] ?? null),
    }
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

  /** Zero is no heart rate. */
  #addHeartRate(timestamp: number | undefined, value: number | undefined): void {
    if (timestamp !== undefined && value !== undefined && value > 0)
      this.#add("heart_rate", { atMs: fitTimeMs(timestamp), value })
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
      this.#addHeartRate(last, fields.get(HEART_RATE))
    }
  }

  /** A message names the stage up to its own time, from the message before it. The first stage is from the start of the sleep on. */
  #addStages(messages: readonly FitMessage[]): void {
    const spans: PhaseSpan[] = []
    let startMs: number | undefined
    for (const { number, fields, timestamp = 0 } of messages.toSorted(byTime)) {
      const phase = number === EVENT ? undefined : LEVELS[fields.get(VALUE) ?? 0]
      const endMs = fitTimeMs(timestamp)
      const durationMs = endMs - (startMs ?? endMs)
      if (phase && startMs !== undefined && durationMs > 0 && durationMs <= LONGEST_STAGE_MS)
        spans.push({ phase, startMs, endMs })
      startMs = endMs
    }
    // A watch that found no sleep writes awake for all of the time.
    if (spans.every(({ phase }) => phase === "awake")) return
    for (const { startMs: atMs, endMs, value } of joinSpans(
      spans.map(({ phase, ...times }) => ({ ...times, value: phase })),
    ))
      this.#add("sleep_stages", { atMs, value: SLEEP_STAGES.indexOf(value), durationMs: endMs - atMs })
    const nights = spans.flatMap((span) => this.#nightAt((span.startMs + span.endMs) / 2) ?? [])
    for (const night of new Set(nights)) this.#addPhases(night, spans)
  }

  /** Of the files of two devices, the one that is nearest to the night's sums counts. */
  #addPhases(night: NightTimes, spans: readonly PhaseSpan[]): void {
    const { startedAt, endedAt, stageMs } = night
    const course = stageMs && courseOf(spans, { startMs: startedAt.getTime(), endMs: endedAt.getTime() })
    if (!course) return
    const digits = course.phases.map((phase) => (phase === null ? UNKNOWN : SLEEP_PHASES.indexOf(phase))).join("")
    const differenceMs = differenceOf(course, stageMs)
    const other = this.#phases.get(night)
    const isNearer =
      !other || differenceMs < other.differenceMs || (differenceMs === other.differenceMs && digits < other.digits)
    if (isNearer) this.#phases.set(night, { digits, differenceMs })
  }

  /** Of two averages of a night the later counts. */
  #addAverage(atMs: number, value: number): void {
    const night = this.#nightAt(atMs)
    const other = night && this.#averages.get(night)
    if (night && (!other || atMs > other.atMs)) this.#averages.set(night, { atMs, value })
  }

  /** The night that an instant is in, or else the last one that begins or ends near it. */
  #nightAt(ms: number): NightTimes | undefined {
    let [low, high] = [0, this.#nights.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#nights[middle]?.startedAt.getTime() ?? 0) - SLACK_MS <= ms) low = middle + 1
      else high = middle
    }
    // A nap may begin soon after a night.
    const near = [this.#nights[low - 1], this.#nights[low - 2]].filter((night) => night !== undefined)
    const isIn = ({ startedAt, endedAt }: NightTimes, slackMs: number) =>
      ms >= startedAt.getTime() - slackMs && ms <= endedAt.getTime() + slackMs
    return near.find((night) => isIn(night, 0)) ?? near.find((night) => isIn(night, SLACK_MS))
  }
}

const byTime = (one: FitMessage, other: FitMessage): number => (one.timestamp ?? 0) - (other.timestamp ?? 0)

const isStartOfSleep = ({ fields }: FitMessage): boolean =>
  fields.get(EVENT_NAME) === SLEEP_EVENT && fields.get(EVENT_TYPE) === START

/** The time that is in other phases than the sums say, milliseconds. Sums that are missing say nothing. Time without a phase counts half. */
function differenceOf({ intervalMs, phases }: SleepCourse, stageMs: NonNullable<NightTimes["stageMs"]>): number {
  const differences = SLEEP_PHASES.map((phase) => {
    const drawnMs = phases.filter((each) => each === phase).length * intervalMs
    return Math.abs(drawnMs - (stageMs[phase] ?? drawnMs))
  })
  return differences.reduce((sum, difference) => sum + difference, 0) / 2
}
