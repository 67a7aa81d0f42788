import type { DayResponse, DisplayPreferences, TrendDay } from "@restwell/client"
import { bestText, formatClock, recoverySentence, scoredBy, sleepSentence } from "@restwell/client/figures"
import { mediumDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import type { Kinds } from "./day.tsx"

/** When a score usually comes, in minutes after local midnight, from the person's own nights. */
export interface UsualTimes {
  readonly wake: number
  /** Undefined where no device scores recoveries, or none says when it did. */
  readonly score: number | undefined
}

const FEWEST_NIGHTS = 5
const FIVE_MINUTES = 5

/** Undefined with too few nights. @param days before the day that is looked at */
export function usualTimesOf(days: readonly TrendDay[]): UsualTimes | undefined {
  const nights = days.flatMap(({ sleep }) => (sleep?.score_state === "scored" ? [sleep] : []))
  const wake = medianOf(nights.map(({ end_minutes }) => end_minutes))
  if (wake === undefined) return undefined
  const source = scoredBy(days)
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
  readonly explained: Kinds
  readonly awaited: Kinds
}

interface Story extends StoryInput {
  /** The personal best of the day. */
  readonly best: DayResponse["best"]
}

/** The day in sentences that a person would say, the most important first. */
export function storyOf(input: Story): string[] {
  const { day, isToday } = input
  const recovery = recoverySentence(input)
  const sleep = sleepSentence(day)
  if (sleep === undefined && recovery === undefined) return nothingYet(input)
  const best = input.best === null ? [] : [bestText(input.best, mediumDate)]
  const sentences = [recovery, sleep].filter((sentence) => sentence !== undefined)
  return day.recovery?.score == null && isToday
    ? [...sentences.toReversed(), ...expectation(input), ...best]
    : [...sentences, ...best]
}

/** A day with neither recovery nor sleep. */
function nothingYet(input: StoryInput): string[] {
  if (input.explained.has("sleep")) return ["Your night is missing."]
  if (input.awaited.has("sleep")) return ["Your night is not here yet.", ...expectation(input)]
  const hasMore = input.day.strain !== null || input.day.workouts.length > 0 || input.day.naps.length > 0
  if (hasMore) return ["No night was recorded."]
  return [input.isToday ? "Nothing has been recorded today." : "Nothing was recorded on this day."]
}

/** When a score usually comes, or else the night. Nothing without enough nights to know. */
function expectation({ day, before, clock, awaited }: StoryInput): string[] {
  const usual = usualTimesOf(before)
  if (!usual) return []
  const source = scoredBy(before)
  if (awaited.has("recovery") && source !== null && usual.score !== undefined)
    return [`The score from ${providerName(source)} usually comes by about ${formatClock(usual.score, clock)}.`]
  return awaited.has("sleep") && day.sleep === null
    ? [`You usually wake up at about ${formatClock(usual.wake, clock)}.`]
    : []
}
