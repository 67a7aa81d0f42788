import type { ChartedNight, ChartOf, DisplayPreferences } from "@restwell/client"
import { asleepWords, formatClock, hoursText, minutesText, scoreText, sleepScoreTitle } from "@restwell/client/figures"
import { Hypnogram } from "../charts/hypnogram.tsx"
import { HYPNOGRAM_TITLE, phaseLabel, SLEEP_STAGES, type Stretch, stretchesOf, stretchTimes } from "../charts/phases.ts"
import { fullDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { FigureFrame, type TableContent } from "./figure-frame.tsx"

/** The stages of a night that have a value. */
const stageRows = (night: ChartedNight) =>
  SLEEP_STAGES.flatMap(({ key, label, color }) => {
    const hours = night[key]
    return hours === null ? [] : [{ label, color, hours }]
  })

/** A bar for the time in each stage. */
function StageBars({ night }: { night: ChartedNight }) {
  const rows = stageRows(night)
  const longest = Math.max(...rows.map(({ hours }) => hours), 0.1)
  return (
    <ul aria-label="Time in each stage" className="mt-2 grid gap-1.5">
      {rows.map(({ label, color, hours }) => (
        <li key={label} className="grid grid-cols-[3rem_1fr_5.5rem] items-center gap-2">
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

/** One night: its phases over time where the source has them, else the time in each stage. */
export function NightView({ chart: { date, clock = "24h", night, reason, url } }: { chart: ChartOf<"night"> }) {
  if (night === null)
    return (
      <FigureFrame
        title="Last night"
        subtitle={fullDate(date)}
        sentence={
          reason ?? "No night is recorded for this date yet. Data usually arrive 15 to 30 minutes after waking."
        }
        notes={[]}
        url={url}
        table={undefined}
      >
        {null}
      </FigureFrame>
    )
  const { course, start_minutes: start, end_minutes: end } = night
  const stretches = course ? stretchesOf(course, start, end) : []
  const hasStages = stageRows(night).length > 0
  return (
    <FigureFrame
      title="Last night"
      subtitle={`${fullDate(date)}, ${formatClock(night.start_time, clock)} to ${formatClock(night.end_time, clock)} local time, ${providerName(night.source)}`}
      sentence={nightSentence(night)}
      notes={[]}
      url={url}
      table={stretches.length > 0 ? phaseTable(stretches, clock) : hasStages ? stageTable(night) : undefined}
    >
      {stretches.length > 0 && <Hypnogram stretches={stretches} start={start} end={end} clock={clock} />}
      {hasStages && <StageBars night={night} />}
    </FigureFrame>
  )
}

function nightSentence(night: ChartedNight): string {
  const { score_state: state, asleep_hours: asleep, need_hours: need, performance, source } = night
  const bed = `${hoursText(night.duration_hours)} in bed`
  if (asleep === null && state === "pending") return `${bed}. The night is not scored yet.`
  if (asleep === null) return `${bed}. The night has too little data for stages.`
  const ofNeed = need === null ? "" : ` Need ${hoursText(need)}.`
  const score = performance === null ? "" : ` ${sleepScoreTitle(source)} ${scoreText(performance, source)}.`
  return `${hoursText(asleep)} ${asleepWords(night)} of ${bed}.${ofNeed}${score}`
}

const phaseTable = (stretches: readonly Stretch[], clock: DisplayPreferences["clock"]): TableContent => ({
  caption: HYPNOGRAM_TITLE,
  headers: ["Time", "Phase", "Duration"],
  rows: stretches.map((stretch) => [
    stretchTimes(stretch, clock),
    phaseLabel(stretch),
    minutesText(stretch.to - stretch.from),
  ]),
})

const stageTable = (night: ChartedNight): TableContent => ({
  caption: "Sleep stages",
  headers: ["Stage", "Time"],
  rows: stageRows(night).map(({ label, hours }) => [label, hoursText(hours)]),
})
