import type { TrendDay } from "@restwell/client"
import { tonightOf } from "@restwell/client/figures"
import type { ReactNode } from "react"
import { useNow } from "../components/time-ago.tsx"
import { DayPanel, useWakingHours, WorkoutsPanel } from "./day-panel.tsx"
import { DifferencesPanel, differenceCount } from "./differences.tsx"
import { useNightHours } from "./hours-view.tsx"
import { JournalPanel } from "./journal-panel.tsx"
import { NightPanel } from "./night-panel.tsx"
import { TonightPanel } from "./tonight-panel.tsx"
import { measuredIn, Vitals } from "./vitals.tsx"
import { shownReasons, WhyPanel } from "./why-panel.tsx"

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

/**
 * The parts of a day below its rings: one after the other on a phone. On a wide screen each goes to the column that is shorter so far, as
 * a float: then the order of keyboard and reader stays that of a phone, and what moves to the other column keeps its state.
 */
export function Arrangement(props: ArrangementProps) {
  const now = useNow()
  const { day, before, version, namesSources } = props
  const nightHours = useNightHours({ night: day.sleep, version, hasSeveralSources: namesSources })
  const charts = {
    isNightDrawn: nightHours !== undefined && nightHours.curves.length > 0,
    isDayDrawn: useWakingHours(props) !== undefined,
  }
  return (
    <div className="flow-root">
      {inColumns(partsOf(props, hourOf([...before, day], now) >= LATE_AFTERNOON, charts)).map(
        ({ key, content, column }) => (
          <div key={key} className={`mb-4 min-w-0 empty:hidden lg:w-[calc(50%-0.5rem)] ${COLUMNS[column]}`}>
            {content}
          </div>
        ),
      )}
    </div>
  )
}

/** The hour by the clock of the newest night, as the person's dates are theirs. @param nowMs since 1970 */
function hourOf(days: readonly TrendDay[], nowMs: number): number {
  const local = days.findLast(({ sleep }) => sleep !== null)?.sleep?.end_local
  const offsetMs = local === undefined ? 0 : Date.parse(`${local.slice(0, LOCAL_TIME)}Z`) - Date.parse(local)
  return new Date(nowMs + offsetMs).getUTCHours()
}

/** Characters of a local instant before its offset. */
const LOCAL_TIME = "2026-11-19T07:30:44".length

const COLUMNS = { left: "lg:float-left lg:clear-left", right: "lg:float-right lg:clear-right" } as const

/** Which charts of values within the day there are, or will be. */
interface Charts {
  readonly isNightDrawn: boolean
  readonly isDayDrawn: boolean
}

/** In their order on a phone, with heights as they are on a desktop. */
function partsOf(props: ArrangementProps, isLate: boolean, charts: Charts): Part[] {
  const { day, before, isToday, preferences, version } = props
  const tonight = isToday ? tonightOf([...before, day]) : undefined
  const tonightPart: Part[] = tonight
    ? [{ key: "tonight", height: 270, content: <TonightPanel tonight={tonight} clock={preferences.clock} /> }]
    : []
  const tiles = measuredIn(props)
  return [
    { key: "why", height: whyHeight(props), content: <WhyPanel {...props} /> },
    ...(isLate ? tonightPart : []),
    { key: "differences", height: differencesHeight(props), content: <DifferencesPanel {...props} /> },
    { key: "night", height: nightHeight(day, charts), content: <NightPanel {...props} /> },
    ...(tiles.length > 0
      ? [{ key: "vitals", height: 180 * Math.ceil(tiles.length / 2), content: <Vitals {...props} /> }]
      : []),
    { key: "day", height: charts.isDayDrawn ? 380 : 0, content: <DayPanel {...props} /> },
    { key: "workouts", height: 110 + 60 * day.workouts.length, content: <WorkoutsPanel {...props} /> },
    ...(isLate ? [] : tonightPart),
    { key: "journal", height: 110, content: <JournalPanel date={day.date} isToday={isToday} version={version} /> },
  ]
}

const whyHeight = ({ day, before, scoreParts }: ArrangementProps): number =>
  scoreParts.length === 0
    ? shownReasons(day, before, scoreParts).length === 0
      ? 0
      : 340
    : scoreParts.reduce((sum, { parts }) => sum + 50 + 74 * Math.ceil(parts.length / 2), 90)

function differencesHeight(props: ArrangementProps): number {
  const count = differenceCount(props)
  return count === undefined ? 0 : 110 + 90 * count
}

const nightHeight = ({ sleep }: TrendDay, { isNightDrawn }: Charts): number =>
  sleep === null ? 105 : isNightDrawn ? 560 : 320

function inColumns(parts: readonly Part[]): readonly (Part & { readonly column: keyof typeof COLUMNS })[] {
  const heights = { left: 0, right: 0 }
  return parts.map((part) => {
    const column = heights.left <= heights.right ? "left" : "right"
    heights[column] += part.height
    return { ...part, column }
  })
}
