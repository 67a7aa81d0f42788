import type { TrendDay } from "@restwell/client"
import { tonightOf } from "@restwell/client/figures"
import type { ReactNode } from "react"
import { useNow } from "../components/time-ago.tsx"
import { DayPanel, WorkoutsPanel } from "./day-panel.tsx"
import { DifferencesPanel } from "./differences.tsx"
import { JournalPanel } from "./journal-panel.tsx"
import { NightPanel } from "./night-panel.tsx"
import { TonightPanel } from "./tonight-panel.tsx"
import { figureOn, measurementsIn, Vitals } from "./vitals.tsx"
import { WhyPanel } from "./why-panel.tsx"

/** A part of Today, and about how high it is beside the others. */
interface Part {
  readonly key: string
  readonly height: number
  readonly content: ReactNode
}

type ArrangementProps = Parameters<typeof WhyPanel>[0] &
  Parameters<typeof DifferencesPanel>[0] &
  Parameters<typeof Vitals>[0] &
  Parameters<typeof NightPanel>[0]

/** Tonight is near the top from this hour on. */
const LATE_AFTERNOON = 16

/** The parts of a day below its rings: one after the other on a phone, and in two columns of about the same height on a wide screen. */
export function Arrangement(props: ArrangementProps) {
  const hour = new Date(useNow()).getHours()
  const [first, second] = columnsOf(partsOf(props, hour >= LATE_AFTERNOON))
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Column parts={first} />
      <Column parts={second} />
    </div>
  )
}

/** What stays in its column keeps its state, whatever moves to or from it: an open journal stays open. */
const Column = ({ parts }: { parts: readonly Part[] }) => (
  <div className="flex min-w-0 flex-col gap-4">
    {parts.map(({ key, content }) => (
      <div key={key} className="contents">
        {content}
      </div>
    ))}
  </div>
)

/** In their order on a phone. Heights are known before charts are drawn, so that nothing changes its column when they come. */
function partsOf(props: ArrangementProps, isLate: boolean): Part[] {
  const { day, before, days, isToday, preferences, version } = props
  const tonight = isToday ? tonightOf([...before, day]) : undefined
  const tonightPart: Part[] = tonight
    ? [{ key: "tonight", height: 210, content: <TonightPanel tonight={tonight} clock={preferences.clock} /> }]
    : []
  const tiles = measurementsIn(preferences.units).filter((one) =>
    days.some((each) => figureOn(one, each).value !== null),
  )
  return [
    { key: "why", height: whyHeight(props), content: <WhyPanel {...props} /> },
    ...(isLate ? tonightPart : []),
    { key: "differences", height: day.recovery === null ? 0 : 140, content: <DifferencesPanel {...props} /> },
    { key: "night", height: nightHeight(day), content: <NightPanel {...props} /> },
    ...(tiles.length > 0
      ? [{ key: "vitals", height: 160 * Math.ceil(tiles.length / 2), content: <Vitals {...props} /> }]
      : []),
    { key: "day", height: day.sleep?.course ? 330 : 0, content: <DayPanel {...props} /> },
    { key: "workouts", height: 90 + 60 * day.workouts.length, content: <WorkoutsPanel {...props} /> },
    ...(isLate ? [] : tonightPart),
    { key: "journal", height: 90, content: <JournalPanel date={day.date} isToday={isToday} version={version} /> },
  ]
}

const whyHeight = ({ day, scoreParts }: ArrangementProps): number =>
  scoreParts.length === 0
    ? day.recovery === null
      ? 0
      : 250
    : scoreParts.reduce((sum, { parts }) => sum + 50 + 74 * Math.ceil(parts.length / 2), 60)

const nightHeight = ({ sleep }: TrendDay): number => (sleep === null ? 90 : sleep.course ? 560 : 320)

/** Splits the parts where both columns are nearest to each other. */
function columnsOf(parts: readonly Part[]): readonly [readonly Part[], readonly Part[]] {
  const heightOf = (some: readonly Part[]): number => some.reduce((sum, { height }) => sum + height, 0)
  const gapAt = (index: number): number => Math.abs(heightOf(parts.slice(0, index)) - heightOf(parts.slice(index)))
  const cuts = parts.map((_, index) => index + 1)
  const cut = cuts.reduce((best, index) => (gapAt(index) < gapAt(best) ? index : best), 1)
  return [parts.slice(0, cut), parts.slice(cut)]
}
