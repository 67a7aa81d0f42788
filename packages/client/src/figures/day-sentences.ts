// A day in sentences that a person would say.
import type { Ended } from "../rest/day.ts"
import { wholeMinutes } from "../rest/rounding.ts"
import type { TrendDay } from "../rest/trends.ts"
import { differenceWord } from "./directions.ts"
import { inSentence, metricNamed } from "./metric-table.ts"
import { minutesText, minutesWords } from "./numbers.ts"
import { recoveryTitle, scoreText } from "./score-scale.ts"
import { besideUsual } from "./usual.ts"

interface DayInput {
  readonly day: TrendDay
  /** The days before it, oldest first. */
  readonly before: readonly TrendDay[]
  readonly isToday: boolean
}

/** The source of the newest recovery score; null where no device gives one. @param days oldest first */
export const scoredBy = (days: readonly TrendDay[]): string | null =>
  days.filter(({ recovery }) => recovery !== null && recovery.score !== null).at(-1)?.recovery?.source ?? null

const NO_RECOVERY = { score: null, score_state: undefined, source: null }

/** "Recovery 74 %, within your usual range." Undefined where there is nothing to say. */
export function recoverySentence({ day, before, isToday }: DayInput): string | undefined {
  const { score: value, score_state: state, source } = day.recovery ?? NO_RECOVERY
  if (value !== null) {
    const band = day.recovery_score_band
    const position = band && besideUsual(value, band)
    const compared = position === "within" ? "within your usual range" : position && `${position} your usual`
    return `${recoveryTitle(source)} ${scoreText(value, source)}${compared ? `, ${compared}` : ""}.`
  }
  const usual = scoredBy(before)
  // A device without such scores is no news.
  if (usual === null) return undefined
  const name = inSentence(recoveryTitle(source ?? usual))
  if (state === "unscorable") return `Your ${name} could not be scored: the device recorded too little.`
  if (state === "pending") return isToday ? `Your ${name} is not scored yet.` : `Your ${name} was not scored.`
  return !isToday && day.sleep !== null ? `There is no ${name} score for this day.` : undefined
}

/** What has ended, as page and connector name it. Recoveries follow their nights. */
export const whatEnded = ({ kinds }: Pick<Ended, "kinds">): "data" | "nights" | "recoveries" =>
  kinds.includes("cycle") ? "data" : kinds.includes("sleep") ? "nights" : "recoveries"

const ASLEEP = metricNamed("asleep")

/** A difference up to this is no difference to a person. */
const SAME_MINUTES = 5

/** What follows a time asleep: all of a pending night is not there yet. */
export const asleepWords = ({ score_state: state }: Pick<NonNullable<TrendDay["sleep"]>, "score_state">): string =>
  state === "pending" ? "asleep so far" : "asleep"

/** "You slept 7 h 10 min, 50 minutes less than you needed." Undefined without a night. A pending one is compared with nothing. */
export function sleepSentence({ sleep, asleep_band: band }: TrendDay): string | undefined {
  if (sleep === null) return undefined
  if (sleep.asleep_hours === null) return `You were in bed for ${minutesText(wholeMinutes(sleep.duration_hours))}.`
  const asleep = wholeMinutes(sleep.asleep_hours)
  if (sleep.score_state === "pending") return `${minutesText(asleep)} ${asleepWords(sleep)}.`
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
