import type { ChartedNight, ChartOf } from "@restwell/client"
import { HYPNOGRAM_TITLE, Hypnogram, phaseLabel, stretchTimes } from "../charts/hypnogram.tsx"
import { clockTime } from "../format/clock-time.ts"
import { fullDate } from "../format/date.ts"
import { figure, hoursText, minutesText } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import { type Stretch, stretchesOf } from "../trends/sleep-phases.ts"
import { FigureFrame } from "./figure-frame.tsx"
import type { TableContent } from "./paged-table.tsx"
import { StageBars, stageRows } from "./stage-bars.tsx"

/** One night: its phases over time where the source has them, else the time in each stage. */
export function NightView({ chart: { date, night, url } }: { chart: ChartOf<"night"> }) {
  if (night === null)
    return (
      <FigureFrame
        title="Last night"
        subtitle={fullDate(date)}
        sentence="No night is recorded for this date yet. Data usually arrive 15 to 30 minutes after waking."
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
      subtitle={`${fullDate(date)}, ${clockTime(start)} to ${clockTime(end)} local time, ${providerName(night.source)}`}
      sentence={nightSentence(night)}
      notes={[]}
      url={url}
      table={stretches.length > 0 ? phaseTable(stretches) : hasStages ? stageTable(night) : undefined}
    >
      {stretches.length > 0 && <Hypnogram stretches={stretches} start={start} end={end} />}
      {hasStages && <StageBars night={night} />}
    </FigureFrame>
  )
}

function nightSentence(night: ChartedNight): string {
  const { score_state: state, asleep_hours: asleep, need_hours: need, performance } = night
  const bed = `${hoursText(night.duration_hours)} in bed`
  if (asleep === null && state === "pending") return `${bed}. The night is not scored yet.`
  if (asleep === null) return `${bed}. The night has too little data for stages.`
  const ofNeed = need === null ? "" : ` Need ${hoursText(need)}.`
  const score = performance === null ? "" : ` Sleep performance ${figure(performance)} %.`
  return `${hoursText(asleep)} asleep of ${bed}.${ofNeed}${score}`
}

const phaseTable = (stretches: readonly Stretch[]): TableContent => ({
  caption: HYPNOGRAM_TITLE,
  headers: ["Time", "Phase", "Duration"],
  rows: stretches.map((stretch) => [
    stretchTimes(stretch),
    phaseLabel(stretch),
    minutesText(stretch.to - stretch.from),
  ]),
})

const stageTable = (night: ChartedNight): TableContent => ({
  caption: "Sleep stages",
  headers: ["Stage", "Time"],
  rows: stageRows(night).map(({ label, hours }) => [label, hoursText(hours)]),
})
