import { type ChartedMetric, type MetricId, type TrendDay, wholeMinutes } from "@restwell/client"
import {
  asleepWords,
  bareText,
  figure,
  formatClock,
  hoursText,
  metricNamed,
  minutesText,
  plural,
  recoveryTitle,
  scoredBy,
  scoreUnit,
  sleepScoreOf,
  usualRangeText,
} from "@restwell/client/figures"
import { HistoryLink } from "../metrics/history-link.tsx"
import { FIGURES, type Figure, MAX_STRAIN, valuesOfSource } from "../trends/figures.ts"
import { BAND_TEXT, bandName, scoreBand } from "../trends/recovery-band.ts"
import { type DayProps, FromSource, isAwaited, isExplained, type Subject, whyMissing } from "./day.tsx"
import { type StoryInput, usualTimesOf } from "./story.ts"

const SIZE = 132
const WIDTH = 10
const RADIUS = (SIZE - WIDTH) / 2
const LENGTH = 2 * Math.PI * RADIUS

/** A value as a filled part of a ring; a dashed ring without a value. */
const Ring = ({ fraction, color, figure, unit, caption }: Dial) => (
  <div className={`@container relative aspect-square w-full max-w-33 shrink-0 ${color}`}>
    <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" className="size-full -rotate-90">
      <circle
        cx={SIZE / 2}
        cy={SIZE / 2}
        r={RADIUS}
        fill="none"
        strokeWidth={fraction === null ? 2 : WIDTH}
        {...(fraction === null && { strokeDasharray: "4 6" })}
        className={fraction === null ? "stroke-line-strong" : "stroke-raised"}
      />
      {fraction !== null && fraction > 0 && (
        <circle
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={WIDTH}
          strokeLinecap="round"
          strokeDasharray={`${Math.min(fraction, 1) * LENGTH} ${LENGTH}`}
        />
      )}
    </svg>
    <div className="absolute inset-0 flex flex-col items-center justify-center">
      <span
        className={`font-semibold tracking-tight text-text tabular-nums ${figure.length > 4 ? "text-lg @min-[7.5rem]:text-2xl" : "text-2xl @min-[7.5rem]:text-3xl"}`}
      >
        {figure}
        {unit !== "" && <span className="ml-0.5 text-sm font-medium text-muted">{unit}</span>}
      </span>
      <span className="text-[0.6875rem] leading-tight text-muted @min-[7.5rem]:text-xs">{caption}</span>
    </div>
  </div>
)

interface OverviewProps extends DayProps {
  readonly before: readonly TrendDay[]
}

/** The day in up to three rings, side by side on every screen. */
export function Overview({ preferences: { clock }, namesSources, ...props }: OverviewProps) {
  const dials = dialsOf({ ...props, clock })
  return (
    <div
      className={`grid gap-2 rounded-2xl border border-line bg-surface p-3 sm:gap-4 sm:p-6 ${dials.length === 3 ? "grid-cols-3" : "grid-cols-2"}`}
    >
      {dials.map((dial) => (
        <section
          key={dial.title}
          aria-label={dial.title}
          className="relative flex min-w-0 flex-col items-center gap-2 text-center lg:flex-row lg:justify-center lg:gap-5 lg:text-left"
        >
          <Ring {...dial} />
          <div className="min-w-0">
            <h2 className="text-sm font-semibold sm:text-base">
              <HistoryLink metric={dial.metric}>{dial.title}</HistoryLink>
            </h2>
            <div className="mt-0.5 flex flex-col text-xs text-muted tabular-nums sm:text-sm">
              {dial.lines.map((line) => (
                <p key={line}>{line}</p>
              ))}
              {namesSources && dial.source !== null && <FromSource source={dial.source} />}
            </div>
          </div>
        </section>
      ))}
    </div>
  )
}

/** A ring of the day. */
interface Dial {
  readonly title: string
  /** What the ring opens. */
  readonly metric: MetricId
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

function recoveryDial(input: StoryInput): Dial | undefined {
  const { day } = input
  const score = FIGURES.recovery(day)
  if (score.value === null) return scoredBy(input.before) === null ? undefined : missingDial("Recovery", score, input)
  const band = scoreBand(score.value, score.source)
  return {
    title: recoveryTitle(score.source),
    metric: "recovery_score",
    fraction: score.value / 100,
    figure: bareText(RECOVERY, score.value),
    unit: scoreUnit(score.source),
    caption: bandName(score.value, score.source) ?? "score",
    color: band ? BAND_TEXT[band] : "text-accent",
    lines: usualLine(RECOVERY, day.recovery_score_band),
    source: score.source,
  }
}

const SO_FAR = "so far"

function sleepCaption(score: number, source: string | null): string {
  const whole = sleepScoreOf(source)
  return whole === undefined ? (bandName(score, source) ?? "score") : `of ${whole}`
}

function sleepDial(input: StoryInput): Dial {
  const { day } = input
  const score = FIGURES.performance(day)
  const asleep = FIGURES.asleepHours(day)
  const lines = [
    ...(day.sleep && asleep.value !== null ? [`${hoursText(asleep.value)} ${asleepWords(day.sleep)}`] : []),
    ...(day.naps.length > 0 ? [`and ${plural(day.naps.length, "nap")}`] : []),
  ]
  if (score.value !== null)
    return {
      title: "Sleep",
      metric: "sleep_performance",
      fraction: score.value / 100,
      figure: figure(score.value),
      unit: scoreUnit(score.source),
      caption: score.isOpen ? SO_FAR : sleepCaption(score.value, score.source),
      color: "text-deep",
      lines,
      source: score.source,
    }
  const goal = day.sleep?.need_hours ?? middleOf(day.asleep_band)
  // A device without a sleep score still knows how long the night was.
  if (asleep.value !== null)
    return {
      title: "Sleep",
      metric: "asleep",
      // Without a need or a usual night there is nothing that a ring could be full of.
      fraction: goal === undefined ? 0 : Math.min(asleep.value / goal, 1),
      figure: hoursFigure(asleep.value),
      unit: "",
      caption: asleep.isOpen ? SO_FAR : "asleep",
      color: "text-deep",
      lines: [...(asleep.isOpen ? [] : usualLine(ASLEEP, day.asleep_band)), ...lines.slice(1)],
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
  // A phone in a pocket counts fewer than a watch, so other sources are no part of what is usual.
  const past = valuesOfSource(before.map(FIGURES.steps), steps.source)
  const usual = past.length < FEWEST_DAYS ? undefined : past.reduce((sum, value) => sum + value, 0) / past.length
  return {
    title: "Activity",
    metric: "steps",
    fraction: usual === undefined || usual === 0 ? 0 : Math.min(steps.value / usual, 1),
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
    metric: "strain",
    fraction: strain.value / MAX_STRAIN,
    figure: figure(strain.value, 1),
    unit: "",
    caption: day.strain?.is_open ? SO_FAR : `of ${MAX_STRAIN}`,
    color: "text-strain",
    lines: [
      plural(day.workouts.length, "workout"),
      ...(day.strain?.calories != null ? [`${figure(day.strain.calories)} kcal`] : []),
    ],
    source: strain.source,
  }
}

const METRIC_OF = {
  Recovery: "recovery_score",
  Sleep: "asleep",
  Strain: "strain",
  Activity: "steps",
} as const satisfies Record<Subject, MetricId>

function missingDial(
  title: Subject,
  { missing, source }: Figure,
  { before, clock, explained, awaited }: StoryInput,
): Dial {
  const isOfNight = title === "Recovery" || title === "Sleep"
  // A night grows no more once it is scored, as a day does.
  const isFinal = missing === "unscorable" || (isOfNight && missing === "none" && source !== null)
  const isLate = isAwaited(title, awaited) && !isFinal && !isExplained(title, source, explained)
  const usual = isLate && isOfNight ? usualTimesOf(before) : undefined
  const when = usual?.score === undefined ? [] : [`usually by ${formatClock(usual.score, clock)}`]
  return {
    title: title === "Recovery" ? recoveryTitle(source ?? scoredBy(before)) : title,
    metric: METRIC_OF[title],
    fraction: null,
    figure: figure(null),
    unit: "",
    caption: isLate ? "not yet" : "no score",
    color: "text-muted",
    lines: when.length > 0 ? when : [whyMissing(title, missing ?? "none", { source, explained, awaited })],
    source: null,
  }
}

const isEverThere = ({ day, before }: Pick<StoryInput, "day" | "before">, of: (day: TrendDay) => Figure): boolean =>
  [...before, day].some((each) => of(each).value !== null)

const [RECOVERY, ASLEEP] = [metricNamed("recovery_score"), metricNamed("asleep")]

const usualLine = (metric: ChartedMetric, band: TrendDay["hrv_band"]): string[] =>
  band ? [`usual ${usualRangeText(metric, band)}`] : []

const middleOf = (band: TrendDay["hrv_band"]): number | undefined => (band ? (band.low + band.high) / 2 : undefined)

/** "7 h 29": the unit of the minutes would not fit the ring. */
const hoursFigure = (hours: number): string => minutesText(wholeMinutes(hours)).replace(/ min$/, "")
