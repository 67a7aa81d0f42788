import type { ChartedNight } from "@restwell/client"
import { hoursText } from "../format/number.ts"
import { SLEEP_STAGES } from "../trends/sleep-stages.ts"

/** The stages of a night that have a value. */
export const stageRows = (night: ChartedNight) =>
  SLEEP_STAGES.flatMap(({ key, label, color }) => {
    const hours = night[key]
    return hours === null ? [] : [{ label, color, hours }]
  })

/** A bar for the time in each stage. */
export function StageBars({ night }: { night: ChartedNight }) {
  const rows = stageRows(night)
  const longest = Math.max(...rows.map(({ hours }) => hours), 0.1)
  return (
    <ul aria-label="Time in each stage" className="mt-2 grid gap-1.5">
      {rows.map(({ label, color, hours }) => (
        <li key={label} className="grid grid-cols-[3rem_1fr_4.5rem] items-center gap-2">
          <span className="text-muted">{label}</span>
          <span
            aria-hidden="true"
            className={`h-3 rounded-sm ${color}`}
            style={{ width: `${(hours / longest) * 100}%` }}
          />
          <span className="text-right tabular-nums">{hoursText(hours)}</span>
        </li>
      ))}
    </ul>
  )
}
