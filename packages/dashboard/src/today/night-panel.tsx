import type { DisplayPreferences, TrendDay } from "@restwell/client"
import { figure, formatClock, hoursText } from "@restwell/client/figures"
import { SLEEP_STAGES } from "../charts/phases.ts"
import { Fact, Facts, Panel } from "../components/page.tsx"
import { HistoryLink } from "../metrics/history-link.tsx"
import { type DayProps, FromSource, whyMissing } from "./day.tsx"
import { HoursView, lowestText, useNightHours } from "./hours-view.tsx"

type Night = NonNullable<TrendDay["sleep"]>

interface NightPanelProps extends DayProps {
  /** From `dataVersion`. */
  readonly version: string
}

/** The main sleep: its times, phases, stages and quality. */
export function NightPanel({ day, namesSources, explained, awaited, preferences, version }: NightPanelProps) {
  const { clock } = preferences
  const night = day.sleep
  const hours = useNightHours({ night, version, hasSeveralSources: namesSources })
  if (night === null)
    return (
      <Panel title="The night" description={whyMissing("Sleep", "none", { source: null, explained, awaited })}>
        {day.naps.length > 0 ? <Naps naps={day.naps} namesSources={namesSources} clock={clock} /> : undefined}
      </Panel>
    )
  return (
    <Panel
      title="The night"
      description={
        <>
          {formatClock(night.start_local.slice(11, 16), clock)} to {formatClock(night.end_local.slice(11, 16), clock)},
          local time
          {namesSources && (
            <>
              , <FromSource source={night.source} />
            </>
          )}
          {hours && hours.curves.length > 0 && <p className="min-h-5">{lowestText(hours, clock)}</p>}
        </>
      }
    >
      {hours && <HoursView key={day.date} hours={hours} clock={clock} />}
      {night.score_state === "scored" ? (
        <Stages night={night} hasBar={night.course === null} />
      ) : (
        <p className="text-sm text-muted">
          {whyMissing("Sleep", night.score_state, { source: night.source, explained, awaited })}
        </p>
      )}
      <div className="mt-5">
        <Facts className="grid-cols-2 sm:grid-cols-4">
          <Fact label={<HistoryLink metric="asleep">Asleep</HistoryLink>}>{hoursText(night.asleep_hours)}</Fact>
          {night.efficiency !== null && (
            <Fact label={<HistoryLink metric="sleep_efficiency">Efficiency</HistoryLink>}>
              {percent(night.efficiency)}
            </Fact>
          )}
          {night.consistency !== null && (
            <Fact label={<HistoryLink metric="sleep_consistency">Consistency</HistoryLink>}>
              {percent(night.consistency)}
            </Fact>
          )}
          <Fact label={<HistoryLink metric="in_bed">In bed</HistoryLink>}>{hoursText(night.duration_hours)}</Fact>
        </Facts>
      </div>
      {day.naps.length > 0 && <Naps naps={day.naps} namesSources={namesSources} clock={clock} />}
    </Panel>
  )
}

interface NapsProps extends Pick<DayProps, "namesSources"> {
  readonly naps: TrendDay["naps"]
  readonly clock: DisplayPreferences["clock"]
}

/** The naps of the date, which are in no figure of the night. */
const Naps = ({ naps, namesSources, clock }: NapsProps) => (
  <div className="mt-5 border-t border-line pt-4 text-sm">
    <h3 className="font-medium">{naps.length === 1 ? "Nap" : "Naps"}</h3>
    <ul className="mt-1 flex flex-col gap-0.5 text-muted tabular-nums">
      {naps.map((nap) => (
        <li key={nap.start_minutes}>
          {formatClock(nap.start_minutes, clock)} to {formatClock(nap.end_minutes, clock)}, {napText(nap)}
          {namesSources && (
            <>
              , <FromSource source={nap.source} />
            </>
          )}
        </li>
      ))}
    </ul>
    <p className="mt-1 text-xs text-muted">Not counted in the night's figures.</p>
  </div>
)

const napText = ({ asleep_hours: asleep, duration_hours: inBed }: TrendDay["naps"][number]): string =>
  asleep === null ? `${hoursText(inBed)} in bed` : `${hoursText(asleep)} asleep`

/** Time in each stage. @param hasBar false below the phases, which show the same */
const Stages = ({ night, hasBar }: { night: Night; hasBar: boolean }) => (
  <>
    {hasBar && (
      <div aria-hidden="true" className="mb-3 flex h-4 gap-0.5 overflow-hidden rounded-full">
        {SLEEP_STAGES.map(({ key, color }) => (
          <div key={key} className={`min-w-0.5 ${color}`} style={{ flexGrow: night[key] ?? 0 }} />
        ))}
      </div>
    )}
    <ul className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
      {SLEEP_STAGES.map(({ key, metric, label, color }) => (
        <li key={key} className="relative">
          <span className="flex items-center gap-2 text-muted">
            <span aria-hidden="true" className={`size-2.5 rounded-full ${color}`} />
            <HistoryLink metric={metric}>{label}</HistoryLink>
          </span>
          <span className="font-medium tabular-nums">{hoursText(night[key])}</span>
        </li>
      ))}
    </ul>
  </>
)

const percent = (value: number): string => `${figure(value)} %`
