import type { AccountResponse, DayResponse, DisplayPreferences, WorkoutRecord } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { amountAtFirstSight, figure, formatClock, hoursText, minutesOfTime, paceText } from "@restwell/client/figures"
import { HOUR_MINUTES, MINUTE_MS } from "@restwell/client/time-units"
import type { ReactNode } from "react"
import { Link, Redirect } from "wouter"
import { dataVersion, useAccount } from "../api/account.ts"
import { useDay } from "../api/journal.ts"
import { usePreferences } from "../api/preferences.ts"
import { useSeries } from "../api/series.ts"
import { ButtonLink } from "../components/button.tsx"
import { useUrlState } from "../components/choice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Fact, Facts, Page, Panel } from "../components/page.tsx"
import { fullDate, tickDate } from "../format/date.ts"
import { MISSING_TEXTS, missingOf } from "../format/number.ts"
import { providerName, sportName } from "../format/provider-name.ts"
import { awaitedOn } from "../today/day.tsx"
import { HEART_RATE, HoursView } from "../today/hours-view.tsx"
import { storyOf } from "../today/story.ts"
import { dateOf } from "../trends/days.ts"
import { meansByStep } from "../trends/samples.ts"

const SKELETON = (
  <>
    <Skeleton className="h-40" label="Loading the workout" />
    <Skeleton className="h-72" label="" />
  </>
)

const frame = (content: ReactNode) => (
  <Page title="Workout" subtitle={"\u00a0"}>
    {content}
  </Page>
)

/** One workout: `/workout?date=2026-11-20&id=whoop-...`. */
export default function WorkoutPage() {
  const [url] = useUrlState()
  const date = dateOf(url.get("date"))
  const id = url.get("id")
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={frame}>
      {(account) =>
        account.connections.length === 0 ? (
          <Redirect to="/start" replace />
        ) : date === undefined || id === null ? (
          <NoWorkout />
        ) : (
          <DatedWorkout account={account} date={date} id={id} />
        )
      }
    </Loaded>
  )
}

const NoWorkout = () =>
  frame(
    <Notice title="There is no such workout">
      Its device may have deleted it. <Link href="/">Go to Today</Link>
    </Notice>,
  )

function DatedWorkout({ account, date, id }: { account: AccountResponse; date: string; id: string }) {
  const version = dataVersion(account)
  return (
    <Loaded query={useDay(date, version)} skeleton={SKELETON} frame={frame}>
      {(day) => {
        if (day.date !== date) return frame(SKELETON)
        const workout = day.workout?.records.find((each) => each.id === id)
        return workout ? <Workout workout={workout} day={day} version={version} /> : <NoWorkout />
      }}
    </Loaded>
  )
}

interface WorkoutProps {
  readonly workout: WorkoutRecord
  readonly day: DayResponse
  readonly version: string
}

function Workout({ workout, day, version }: WorkoutProps) {
  const preferences = usePreferences()
  const { date, start_local: start, end_local: end, source } = workout
  const time = (instant: string) => formatClock(instant.slice(11, 16), preferences.clock)
  return (
    <Page
      title={sportName(workout.sport_type)}
      subtitle={`${fullDate(date)}, ${time(start)} to ${time(end)}, from ${providerName(source)}`}
      actions={<ButtonLink to={`/?date=${date}`}>Open {tickDate(date)}</ButtonLink>}
    >
      <Panel title="Figures">
        <Facts className="grid-cols-2 sm:grid-cols-4">
          {factsOf(workout, preferences).map(([label, text]) => (
            <Fact key={label} label={label}>
              {text}
            </Fact>
          ))}
        </Facts>
      </Panel>
      <HeartRate workout={workout} preferences={preferences} version={version} />
      <Zones workout={workout} />
      <NextMorning date={addDays(date, 1)} today={day.today} version={version} />
    </Page>
  )
}

/** The figures that there are. */
function factsOf(workout: WorkoutRecord, { units }: DisplayPreferences): (readonly [label: string, text: string])[] {
  const { strain, average_heart_rate: average, max_heart_rate: highest, calories, distance_meters: meters } = workout
  const missing = missingOf(workout.score_state)
  const pace = paceText(workout, units)
  return [
    ["Duration", hoursText(workout.duration_hours)],
    ...(strain !== null ? [["Strain", figure(strain, 1)] as const] : []),
    ...(strain === null && missing !== "none" ? [["Strain", MISSING_TEXTS[missing]] as const] : []),
    ...(meters !== null && meters > 0 ? [["Distance", amountAtFirstSight(meters, "m", units)] as const] : []),
    ...(pace === undefined ? [] : [[workout.sport_type === "cycling" ? "Speed" : "Pace", pace] as const]),
    ...(average !== null ? [["Average heart rate", `${figure(average)} bpm`] as const] : []),
    ...(highest !== null ? [["Highest heart rate", `${figure(highest)} bpm`] as const] : []),
    ...(calories !== null ? [["Energy", `${figure(calories)} kcal`] as const] : []),
  ]
}

const SHORT_MINUTES = 180

interface HeartRateProps {
  readonly workout: WorkoutRecord
  readonly preferences: DisplayPreferences
  readonly version: string
}

/** The curve, of a source that has values within the day. */
function HeartRate({ workout, preferences: { clock }, version }: HeartRateProps) {
  const { start, end, start_local: local } = workout
  const { data, isPending } = useSeries({ type: HEART_RATE.type, start, end }, version)
  const title = "Heart rate"
  if (!data)
    return isPending ? <Skeleton className="h-72" label="Loading the heart rate" /> : <NoValues title={title} />
  const [startMs, endMs] = [Date.parse(start), Date.parse(end)]
  const minutes = (endMs - startMs) / MINUTE_MS
  const stepMinutes = minutes <= SHORT_MINUTES ? 1 : 5
  const values = meansByStep(data.samples, { startMs, endMs, stepMs: stepMinutes * MINUTE_MS })
  if (values.every((value) => value === null)) return <NoValues title={title} />
  const from = minutesOfTime(local.slice(11, 16))
  return (
    <Panel title={title} description={data.source === workout.source ? undefined : `from ${providerName(data.source)}`}>
      <HoursView
        hours={{ start: from, end: from + minutes, stepMinutes, curves: [{ ...HEART_RATE, values }] }}
        clock={clock}
      />
    </Panel>
  )
}

const NoValues = ({ title }: { title: string }) => (
  <Panel title={title} description="No device has sent the heart rate within this workout." />
)

const ZONES = [5, 4, 3, 2, 1, 0] as const

/** The time in each zone of heart rate, the hardest first. Nothing of a source without zones. */
function Zones({ workout: { zones } }: Pick<WorkoutProps, "workout">) {
  if (!zones) return null
  const rows = ZONES.map((zone) => ({ zone, hours: zones[`zone_${zone}_hours`] }))
  const total = rows.reduce((sum, { hours }) => sum + hours, 0)
  return (
    <Panel title="Heart rate zones">
      <ul className="flex flex-col gap-2 text-sm">
        {rows.map(({ zone, hours }) => (
          <li key={zone} className="grid grid-cols-[4rem_1fr_5rem] items-center gap-3 tabular-nums">
            <span className="text-muted">Zone {zone}</span>
            <span aria-hidden="true" className="h-3 overflow-hidden rounded-full bg-raised">
              <span
                className="block h-full rounded-full bg-heart"
                style={{ width: `${total === 0 ? 0 : (hours / total) * 100}%` }}
              />
            </span>
            <span className="text-right">{zoneText(hours)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Seconds count in a zone. */
const zoneText = (hours: number): string => (hours > 0 && hours * HOUR_MINUTES < 1 ? "under 1 min" : hoursText(hours))

interface NextMorningProps {
  readonly date: string
  readonly today: string
  readonly version: string
}

/** What the morning after says. Something else may have moved it. */
function NextMorning({ date, today, version }: NextMorningProps) {
  if (date > today) return <Panel title="The next morning" description="It has not come yet." />
  return <Morning date={date} isToday={date === today} version={version} />
}

function Morning({ date, isToday, version }: { date: string; isToday: boolean; version: string }) {
  const { clock } = usePreferences()
  return (
    <Loaded query={useDay(date, version)} skeleton={<Skeleton className="h-24" label="Loading the next morning" />}>
      {(answer) => {
        const { rows } = answer
        const index = rows.findIndex((row) => row.date === date)
        const day = rows[index]
        return (
          <Panel
            title="The next morning"
            actions={<ButtonLink to={`/?date=${date}`}>Open {tickDate(date)}</ButtonLink>}
            description={
              day &&
              storyOf({
                ...{ day, before: rows.slice(0, index), isToday, clock, best: null },
                ...{ explained: new Set(), awaited: awaitedOn({ ...answer, date }) },
              }).join(" ")
            }
          />
        )
      }}
    </Loaded>
  )
}
