import type { TrendDay } from "@restwell/client"
import type { ReactNode } from "react"
import { figure, hoursText, NONE } from "../format/number.ts"
import { FIGURES, type Figure } from "../trends/figures.ts"
import { BAND_TEXT, BAND_WORDS, recoveryBand } from "../trends/recovery-band.ts"
import { Ring } from "./ring.tsx"
import { whyMissing } from "./why-missing.ts"

/** WHOOP's scale of strain. */
const MOST_STRAIN = 21

/** The day in three rings: how recovered, how slept, how strained. */
export const Overview = ({ day, isToday, vendor }: { day: TrendDay; isToday: boolean; vendor: string }) => (
  <div className="grid gap-4 md:grid-cols-3">
    <RecoveryTile day={day} isToday={isToday} vendor={vendor} />
    <SleepTile day={day} isToday={isToday} vendor={vendor} />
    <StrainTile day={day} isToday={isToday} vendor={vendor} />
  </div>
)

interface TileProps {
  readonly day: TrendDay
  readonly isToday: boolean
  readonly vendor: string
}

const Tile = ({ title, ring, children }: { title: string; ring: ReactNode; children: ReactNode }) => (
  <section
    aria-label={title}
    className="flex items-center gap-5 rounded-2xl border border-line bg-surface p-5 md:flex-col md:items-start lg:flex-row lg:items-center"
  >
    {ring}
    <div className="min-w-0">
      <h2 className="font-semibold">{title}</h2>
      <div className="mt-1 flex flex-col gap-0.5 text-sm text-muted">{children}</div>
    </div>
  </section>
)

function RecoveryTile({ day, isToday, vendor }: TileProps) {
  const score = FIGURES.recovery(day)
  const band = score.value === null ? undefined : recoveryBand(score.value)
  return (
    <Tile
      title="Recovery"
      ring={
        <Ring
          fraction={fractionOf(score, 100)}
          color={band ? BAND_TEXT[band] : "text-muted"}
          figure={figure(score.value)}
          {...(score.value !== null && { unit: "%" })}
          caption={band ? BAND_WORDS[band] : "no score"}
        />
      }
    >
      {score.missing !== null ? (
        <p>{whyMissing("recovery", score.missing, isToday, vendor)}</p>
      ) : (
        <>
          <p>HRV {figure(day.recovery?.hrv ?? null)} ms</p>
          <p>Resting {figure(day.recovery?.resting_heart_rate ?? null)} bpm</p>
        </>
      )}
    </Tile>
  )
}

function SleepTile({ day, isToday, vendor }: TileProps) {
  const performance = FIGURES.performance(day)
  const asleep = FIGURES.asleepHours(day)
  return (
    <Tile
      title="Sleep"
      ring={
        <Ring
          fraction={fractionOf(performance, 100)}
          color="text-deep"
          figure={figure(performance.value)}
          {...(performance.value !== null && { unit: "%" })}
          caption={performance.value === null ? "no score" : "of need"}
        />
      }
    >
      {day.sleep === null || performance.missing !== null ? (
        <p>{whyMissing("sleep", performance.missing ?? "none", isToday, vendor)}</p>
      ) : (
        <p>{asleep.value === null ? NONE : hoursText(asleep.value)} asleep</p>
      )}
      {day.sleep !== null && <p>{hoursText(day.sleep.duration_hours)} in bed</p>}
      {day.nap_hours !== null && <p>{hoursText(day.nap_hours)} of naps</p>}
    </Tile>
  )
}

function StrainTile({ day, isToday, vendor }: TileProps) {
  const strain = FIGURES.strain(day)
  return (
    <Tile
      title="Strain"
      ring={
        <Ring
          fraction={fractionOf(strain, MOST_STRAIN)}
          color="text-strain"
          figure={figure(strain.value, 1)}
          caption={strain.value === null ? "no score" : day.strain?.is_open ? "so far" : "of 21"}
        />
      }
    >
      {strain.missing !== null ? (
        <p>{whyMissing("strain", strain.missing, isToday, vendor)}</p>
      ) : (
        <>
          <p>{figure(day.strain?.calories ?? null)} kcal</p>
          <p>{day.workouts.length === 1 ? "1 workout" : `${day.workouts.length} workouts`}</p>
        </>
      )}
    </Tile>
  )
}

const fractionOf = ({ value }: Figure, most: number): number | null => (value === null ? null : value / most)
