import type { TrendDay } from "@restwell/client"
import { Panel } from "../components/panel.tsx"
import { clockTime } from "../format/clock-time.ts"
import { figure, hoursText } from "../format/number.ts"
import { whyMissing } from "./why-missing.ts"

const STAGES = [
  { key: "deep_hours", label: "Deep", color: "bg-deep" },
  { key: "rem_hours", label: "REM", color: "bg-rem" },
  { key: "light_hours", label: "Light", color: "bg-light-sleep" },
  { key: "awake_hours", label: "Awake", color: "bg-awake" },
] as const

/** The night: from when to when, in which stages. */
export function NightPanel({ day, isToday, vendor }: { day: TrendDay; isToday: boolean; vendor: string }) {
  const night = day.sleep
  if (night === null) return <Panel title="The night" description={whyMissing("sleep", "none", isToday, vendor)} />
  return (
    <Panel
      title="The night"
      description={`${clockTime(night.start_minutes)} to ${clockTime(night.end_minutes)}, local time`}
    >
      {night.score_state === "scored" ? (
        <Stages night={night} />
      ) : (
        <p className="text-sm text-muted">{whyMissing("sleep", night.score_state, isToday, vendor)}</p>
      )}
      <dl className="mt-5 grid grid-cols-3 gap-3 text-sm">
        <Detail label="Efficiency" value={percent(night.efficiency)} />
        <Detail label="Consistency" value={percent(night.consistency)} />
        <Detail label="In bed" value={hoursText(night.duration_hours)} />
      </dl>
    </Panel>
  )
}

function Stages({ night }: { night: NonNullable<TrendDay["sleep"]> }) {
  const stages = STAGES.map((stage) => ({ ...stage, hours: night[stage.key] }))
  return (
    <>
      <div aria-hidden="true" className="flex h-4 gap-0.5 overflow-hidden rounded-full">
        {stages.map(({ key, color, hours }) => (
          <div key={key} className={`min-w-0.5 ${color}`} style={{ flexGrow: hours ?? 0 }} />
        ))}
      </div>
      <ul className="mt-3 grid grid-cols-2 gap-x-4 gap-y-2 text-sm sm:grid-cols-4">
        {stages.map(({ key, label, color, hours }) => (
          <li key={key}>
            <span className="flex items-center gap-2 text-muted">
              <span aria-hidden="true" className={`size-2.5 rounded-full ${color}`} />
              {label}
            </span>
            <span className="font-medium tabular-nums">{hoursText(hours)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

export const Detail = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt className="text-muted">{label}</dt>
    <dd className="font-medium tabular-nums">{value}</dd>
  </div>
)

const percent = (value: number | null): string => (value === null ? figure(null) : `${figure(value)} %`)
