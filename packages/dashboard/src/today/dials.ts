import { type TrendDay, wholeMinutes } from "@restwell/client"
import { figure, hoursText, minutesText, plural } from "../format/number.ts"
import { formatClock } from "../format/preferred.ts"
import { FIGURES, type Figure, MAX_STRAIN } from "../trends/figures.ts"
import { BAND_TEXT, bandName, scoreBand, scoreUnit } from "../trends/recovery-band.ts"
import { type Subject, whyMissing } from "./day.tsx"
import { type StoryInput, usualTimesOf } from "./story.ts"

/** A ring of the day. */
export interface Dial {
  readonly title: Subject
  /** 0 to 1; null without a value. */
  readonly fraction: number | null
  readonly figure: string
  readonly unit: string
  /** Inside the ring, below the figure. */
  readonly caption: string
  /** Text colour class. */
  readonly color: string
  /** Below the ring, the most important first. */
  readonly lines: readonly string[]
  /** The source of the figure; null without one. */
  readonly source: string | null
}

/** The rings of a day: recovery, sleep, and strain or else steps. A ring that the person's devices never fill is left out. */
export function dialsOf(input: StoryInput): Dial[] {
  return [recoveryDial(input), sleepDial(input), activityDial(input)].filter((dial) => dial !== undefined)
}

/** Its sleep performance compares the sleep with the need. Other scores are the vendor's own. */
const WHOOP = "whoop"

function recoveryDial(input: StoryInput): Dial | undefined {
  const { day } = input
  const score = FIGURES.recovery(day)
  if (score.value === null)
    return isEverThere(input, FIGURES.recovery) || day.sleep === null || score.missing !== "none"
      ? missingDial("Recovery", score, input)
      : undefined
  const band = scoreBand(score.value, score.source)
  return {
    title: "Recovery",
    fraction: score.value / 100,
    figure: figure(score.value),
    unit: scoreUnit(score.source),
    caption: bandName(score.value, score.source) ?? "score",
    color: band ? BAND_TEXT[band] : "text-accent",
    lines: usualLine(day.recovery_score_band, (value) => figure(value)),
    source: score.source,
  }
}

function sleepDial(input: StoryInput): Dial {
  const { day } = input
  const score = FIGURES.performance(day)
  const asleep = FIGURES.asleepHours(day)
  const lines = [
    ...(asleep.value !== null ? [`${hoursText(asleep.value)} asleep`] : []),
    ...(day.naps.length > 0 ? [`and ${plural(day.naps.length, "nap")}`] : []),
  ]
  if (score.value !== null)
    return {
      title: "Sleep",
      fraction: score.value / 100,
      figure: figure(score.value),
      unit: scoreUnit(score.source),
      caption: score.source === WHOOP ? "of need" : (bandName(score.value, score.source) ?? "score"),
      color: "text-deep",
      lines,
      source: score.source,
    }
  const goal = day.sleep?.need_hours ?? middleOf(day.asleep_band)
  // A device without a sleep score still knows how long the night was.
  if (asleep.value !== null)
    return {
      title: "Sleep",
      fraction: goal === undefined ? 1 : Math.min(asleep.value / goal, 1),
      figure: hoursFigure(asleep.value),
      unit: "",
      caption: "asleep",
      color: "text-deep",
      lines: [...usualLine(day.asleep_band, hoursText), ...lines.slice(1)],
      source: asleep.source,
    }
  return missingDial("Sleep", score, input)
}

/** Strain where a device of the last days gives it, else steps. Undefined with neither. */
function activityDial(input: StoryInput): Dial | undefined {
  const { day, before } = input
  const recent = { ...input, before: before.slice(-RECENT_DAYS) }
  const steps = FIGURES.steps(day)
  if (isEverThere(recent, FIGURES.strain) || (day.strain !== null && !isEverThere(recent, FIGURES.steps)))
    return strainDial(input)
  if (!isEverThere(recent, FIGURES.steps)) return undefined
  if (steps.value === null) return missingDial("Activity", steps, input)
  const past = before.flatMap((each) => FIGURES.steps(each).value ?? [])
  const usual = past.length < FEWEST_DAYS ? undefined : past.reduce((sum, value) => sum + value, 0) / past.length
  return {
    title: "Activity",
    fraction: usual === undefined || usual === 0 ? 1 : Math.min(steps.value / usual, 1),
    figure: figure(steps.value),
    unit: "",
    caption: day.strain?.is_open ? "steps so far" : "steps",
    color: "text-strain",
    lines: [
      ...(usual === undefined ? [] : [`usually ${figure(Math.round(usual / 100) * 100)}`]),
      ...(day.strain?.active_calories != null ? [`${figure(day.strain.active_calories)} kcal active`] : []),
    ],
    source: steps.source,
  }
}

const RECENT_DAYS = 7
const FEWEST_DAYS = 5

function strainDial(input: StoryInput): Dial | undefined {
  const { day, before } = input
  const strain = FIGURES.strain(day)
  if (strain.value === null)
    return isEverThere({ day, before }, FIGURES.strain) || strain.missing !== "none"
      ? missingDial("Strain", strain, input)
      : undefined
  return {
    title: "Strain",
    fraction: strain.value / MAX_STRAIN,
    figure: figure(strain.value, 1),
    unit: "",
    caption: day.strain?.is_open ? "so far" : `of ${MAX_STRAIN}`,
    color: "text-strain",
    lines: [
      plural(day.workouts.length, "workout"),
      ...(day.strain?.calories != null ? [`${figure(day.strain.calories)} kcal`] : []),
    ],
    source: strain.source,
  }
}

function missingDial(title: Subject, { missing, source }: Figure, { before, isToday, clock }: StoryInput): Dial {
  const usual = isToday && title !== "Strain" && title !== "Activity" ? usualTimesOf(before) : undefined
  const when = usual?.score === undefined ? [] : [`usually by ${formatClock(usual.score, clock)}`]
  return {
    title,
    fraction: null,
    figure: figure(null),
    unit: "",
    caption: isToday && missing !== "unscorable" ? "not yet" : "no score",
    color: "text-muted",
    lines: when.length > 0 ? when : [whyMissing(title, missing ?? "none", { isToday, source })],
    source: null,
  }
}

const isEverThere = ({ day, before }: Pick<StoryInput, "day" | "before">, of: (day: TrendDay) => Figure): boolean =>
  [...before, day].some((each) => of(each).value !== null)

function usualLine(band: TrendDay["hrv_band"], text: (value: number) => string): string[] {
  return band ? [`usual ${text(band.low)}–${text(band.high)}`] : []
}

const middleOf = (band: TrendDay["hrv_band"]): number | undefined => (band ? (band.low + band.high) / 2 : undefined)

/** "7 h 29": the unit of the minutes would not fit the ring. */
const hoursFigure = (hours: number): string => minutesText(wholeMinutes(hours)).replace(/ min$/, "")
