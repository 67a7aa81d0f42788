import type { ReactNode } from "react"
import { figure, hoursText, plural } from "../format/number.ts"
import { FIGURES, type Figure, MAX_STRAIN } from "../trends/figures.ts"
import { BAND_TEXT, bandName, scoreBand } from "../trends/recovery-band.ts"
import { type DayProps, FromSource, type Subject, whyMissing } from "./day.tsx"

const SIZE = 132
const WIDTH = 10
const RADIUS = (SIZE - WIDTH) / 2
const LENGTH = 2 * Math.PI * RADIUS

/** A score as a filled part of a ring; a dashed ring without a score. */
const Ring = ({
  fraction,
  color,
  figure,
  unit,
  caption,
}: {
  /** 0 to 1; null without a score. */
  fraction: number | null
  /** Text colour class of the ring. */
  color: string
  figure: string
  unit: string
  caption: string
}) => (
  <div className={`relative size-28 md:size-33 shrink-0 ${color}`}>
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
      {fraction !== null && (
        <circle
          cx={SIZE / 2}
          cy={SIZE / 2}
          r={RADIUS}
          fill="none"
          stroke="currentColor"
          strokeWidth={WIDTH}
          strokeLinecap="round"
          strokeDasharray={`${Math.max(0, Math.min(fraction, 1)) * LENGTH} ${LENGTH}`}
        />
      )}
    </svg>
    <div className="absolute inset-0 flex flex-col items-center justify-center">
      <span className="text-3xl font-semibold tracking-tight text-text tabular-nums">
        {figure}
        {unit !== "" && <span className="ml-0.5 text-base font-medium text-muted">{unit}</span>}
      </span>
      <span className="text-xs text-muted">{caption}</span>
    </div>
  </div>
)

/** Its sleep performance compares the sleep with the need. Other scores are the vendor's own. */
const WHOOP = "whoop"

/** The day in three rings: recovery, sleep and strain. */
export function Overview(props: DayProps) {
  const { day } = props
  const recovery = FIGURES.recovery(day)
  const band = recovery.value === null ? undefined : scoreBand(recovery.value, recovery.source)
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Tile
        {...props}
        title="Recovery"
        score={recovery}
        color={band ? BAND_TEXT[band] : recovery.value === null ? "text-muted" : "text-accent"}
        caption={recovery.value === null ? "" : (bandName(recovery.value, recovery.source) ?? "recovery score")}
      >
        <p>HRV {figure(day.recovery?.hrv ?? null)} ms</p>
        <p>Resting {figure(day.recovery?.resting_heart_rate ?? null)} bpm</p>
      </Tile>
      <Tile
        {...props}
        title="Sleep"
        score={FIGURES.performance(day)}
        color="text-deep"
        caption={day.sleep?.source === WHOOP ? "of need" : "sleep score"}
        always={
          <>
            {day.sleep !== null && <p>{hoursText(day.sleep.duration_hours)} in bed</p>}
            {day.naps.length > 0 && <p>and {plural(day.naps.length, "nap")}</p>}
          </>
        }
      >
        <p>{hoursText(FIGURES.asleepHours(day).value)} asleep</p>
      </Tile>
      <Tile
        {...props}
        title="Strain"
        score={FIGURES.strain(day)}
        max={MAX_STRAIN}
        color="text-strain"
        caption={day.strain?.is_open ? "so far" : `of ${MAX_STRAIN}`}
        always={day.strain?.calories != null && <p>{figure(day.strain.calories)} kcal</p>}
      >
        <p>{plural(day.workouts.length, "workout")}</p>
      </Tile>
    </div>
  )
}

interface TileProps extends DayProps {
  readonly title: Subject
  readonly score: Figure
  /** Maximum of the scale. Without it the score is a percentage. */
  readonly max?: number
  /** Text colour class of the ring. */
  readonly color: string
  /** Text below the score. */
  readonly caption: string
  /** Details of a scored day. */
  readonly children: ReactNode
  /** Details of a day without a score as well. */
  readonly always?: ReactNode
}

function Tile({ title, score, max, color, caption, children, always, isToday, namesSources }: TileProps) {
  const { value, missing, source } = score
  return (
    <section
      aria-label={title}
      className="flex items-center gap-5 rounded-2xl border border-line bg-surface p-5 md:flex-col md:items-start lg:flex-row lg:items-center"
    >
      <Ring
        fraction={value === null ? null : value / (max ?? 100)}
        color={color}
        figure={figure(value, max === undefined ? 0 : 1)}
        unit={value === null || max !== undefined ? "" : "%"}
        caption={value === null ? "no score" : caption}
      />
      <div className="min-w-0">
        <h2 className="font-semibold">{title}</h2>
        <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">
          {missing === null ? children : <p>{whyMissing(title, missing, { isToday, source })}</p>}
          {always}
          {namesSources && missing === null && source !== null && <FromSource source={source} />}
        </div>
      </div>
    </section>
  )
}
