import type { TrendDay } from "@restwell/client"
import type { ReactNode } from "react"
import { figure, hoursText, plural } from "../format/number.ts"
import { FIGURES, type Figure, MAX_STRAIN } from "../trends/figures.ts"
import { BAND_NAMES, BAND_TEXT, recoveryBand } from "../trends/recovery-band.ts"
import { Ring } from "./ring.tsx"
import { type Subject, whyMissing } from "./why-missing.ts"

interface OverviewProps {
  readonly day: TrendDay
  readonly isToday: boolean
  readonly vendor: string
}

/** The day in three rings: recovery, sleep and strain. */
export function Overview(props: OverviewProps) {
  const { day } = props
  const recovery = FIGURES.recovery(day)
  const band = recovery.value === null ? undefined : recoveryBand(recovery.value)
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Tile
        {...props}
        title="Recovery"
        score={recovery}
        color={band ? BAND_TEXT[band] : "text-muted"}
        caption={band ? BAND_NAMES[band] : ""}
      >
        <p>HRV {figure(day.recovery?.hrv ?? null)} ms</p>
        <p>Resting {figure(day.recovery?.resting_heart_rate ?? null)} bpm</p>
      </Tile>
      <Tile
        {...props}
        title="Sleep"
        score={FIGURES.performance(day)}
        color="text-deep"
        caption="of need"
        always={
          <>
            {day.sleep !== null && <p>{hoursText(day.sleep.duration_hours)} in bed</p>}
            {day.nap_hours !== null && <p>{hoursText(day.nap_hours)} of naps</p>}
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
      >
        <p>{figure(day.strain?.calories ?? null)} kcal</p>
        <p>{plural(day.workouts.length, "workout")}</p>
      </Tile>
    </div>
  )
}

interface TileProps extends OverviewProps {
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

function Tile({ title, score, max, color, caption, children, always, isToday, vendor }: TileProps) {
  const { value, missing } = score
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
          {missing === null ? children : <p>{whyMissing(title, missing, isToday, vendor)}</p>}
          {always}
        </div>
      </div>
    </section>
  )
}
