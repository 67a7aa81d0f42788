import { type DisplayPreferences, type TrendDay, wholeMinutes } from "@restwell/client"
import {
  besideUsual,
  differenceWord,
  formatClock,
  metricNamed,
  minutesText,
  minutesWords,
  recoveryTitle,
} from "@restwell/client/figures"
import { providerName } from "../format/provider-name.ts"
import { FIGURES } from "../trends/figures.ts"
import { scoreText } from "../trends/recovery-band.ts"
import type { Explained } from "./day.tsx"

/** When a score usually comes, in minutes after local midnight, from the person's own nights. */
export interface UsualTimes {
  readonly wake: number
  /** Undefined for a vendor that does not say when it scored. */
  readonly score: number | undefined
}

const FEWEST_NIGHTS = 5
const FIVE_MINUTES = 5

/** Undefined with too few nights. @param days before the day that is looked at */
export function usualTimesOf(days: readonly TrendDay[]): UsualTimes | undefined {
  const nights = days.flatMap(({ sleep }) => (sleep?.score_state === "scored" ? [sleep] : []))
  const wake = medianOf(nights.map(({ end_minutes }) => end_minutes))
  if (wake === undefined) return undefined
  const source = nights.at(-1)?.source
  const delay = medianOf(
    nights.flatMap((night) =>
      night.source === source && night.score_delay_minutes !== null ? [night.score_delay_minutes] : [],
    ),
  )
  return { wake: toFive(wake), score: delay === undefined ? undefined : toFive(wake + delay) }
}

const toFive = (minutes: number): number => Math.ceil(minutes / FIVE_MINUTES) * FIVE_MINUTES

function medianOf(values: readonly number[]): number | undefined {
  if (values.length < FEWEST_NIGHTS) return undefined
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.ceil((sorted.length - 1) / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

export interface StoryInput {
  readonly day: TrendDay
  /** The days before it, oldest first. */
  readonly before: readonly TrendDay[]
  readonly isToday: boolean
  readonly clock: DisplayPreferences["clock"]
  readonly explained: Explained
}

/** The day in sentences that a person would say, the most important first. */
export function storyOf(input: StoryInput): string[] {
  const { day, isToday } = input
  const recovery = recoverySentence(input)
  const sleep = sleepSentence(day)
  if (sleep === undefined && recovery === undefined) return nothingYet(input)
  const sentences = [recovery, sleep].filter((sentence) => sentence !== undefined)
  return day.recovery?.score == null && isToday ? [...sentences.toReversed(), ...expectation(input)] : sentences
}

function recoverySentence({ day, before, isToday }: StoryInput): string | undefined {
  const { value, missing, source } = FIGURES.recovery(day)
  if (value !== null) {
    const band = day.recovery_score_band
    const position = band && besideUsual(value, band)
    const compared = position === "within" ? "within your usual range" : position && `${position} your usual`
    return `${recoveryTitle(source)} ${scoreText(value, source)}${compared ? `, ${compared}` : ""}.`
  }
  if (missing === "unscorable") return "Your recovery could not be scored: the device recorded too little."
  if (missing === "pending") return isToday ? "Your recovery is not scored yet." : "Your recovery was not scored."
  // A device without recovery scores is no news.
  const isUsual = before.some((each) => FIGURES.recovery(each).value !== null)
  return isUsual && !isToday && day.sleep !== null ? "There is no recovery score for this day." : undefined
}

const ASLEEP = metricNamed("asleep")

/** A difference up to this is no difference to a person. */
const SAME_MINUTES = 5

function sleepSentence({ sleep, asleep_band: band }: TrendDay): string | undefined {
  if (sleep === null) return undefined
  if (sleep.asleep_hours === null) return `You were in bed for ${minutesText(wholeMinutes(sleep.duration_hours))}.`
  const asleep = wholeMinutes(sleep.asleep_hours)
  const slept = `You slept ${minutesText(asleep)}`
  if (sleep.need_hours !== null) {
    const difference = asleep - wholeMinutes(sleep.need_hours)
    if (Math.abs(difference) <= SAME_MINUTES) return `${slept}, as much as you needed.`
    return `${slept}, ${minutesWords(Math.abs(difference))} ${differenceWord(ASLEEP, difference)} than you needed.`
  }
  if (!band) return `${slept}.`
  if (besideUsual(sleep.asleep_hours, band) === "within") return `${slept}, about as long as usual.`
  const difference = asleep - wholeMinutes((band.low + band.high) / 2)
  return `${slept}, ${minutesWords(Math.abs(difference))} ${differenceWord(ASLEEP, difference)} than usual.`
}

/** A day with neither recovery nor sleep. */
function nothingYet(input: StoryInput): string[] {
  if (input.explained.has("sleep")) return ["Your night is missing."]
  if (input.isToday) return ["Your night is not here yet.", ...expectation(input)]
  const hasMore = input.day.strain !== null || input.day.workouts.length > 0 || input.day.naps.length > 0
  return [hasMore ? "No night was recorded." : "Nothing was recorded on this day."]
}

/** When a score usually comes. Nothing without enough nights to know. */
function expectation({ day, before, clock, explained }: StoryInput): string[] {
  if (day.recovery === null && explained.has("recovery")) return []
  const usual = usualTimesOf(before)
  if (!usual) return []
  const source = day.sleep?.source ?? before.findLast(({ sleep }) => sleep !== null)?.sleep?.source
  const vendor = source === undefined ? "your device" : providerName(source)
  if (usual.score !== undefined)
    return [`The score from ${vendor} usually comes by about ${formatClock(usual.score, clock)}.`]
  return day.sleep === null ? [`You usually wake up at about ${formatClock(usual.wake, clock)}.`] : []
}
