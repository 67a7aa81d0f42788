import { ChartOrTable } from "../charts/chart-panel.tsx"
import { type Hours, HoursChart, hoursTitle, type Moment, momentsOf } from "../charts/hours-chart.tsx"
import { Hypnogram, phaseLabel, stretchTimes } from "../charts/hypnogram.tsx"
import type { Clock } from "../charts/time-axis.tsx"
import { type Column, DataTable } from "../components/data-table.tsx"
import { capitalized, figure, minutesText, NONE } from "../format/number.ts"
import { formatClock } from "../format/preferred.ts"

interface HoursViewProps {
  readonly hours: Hours
  readonly clock: Clock
}

/** Some hours, as a chart or a table. A night without curves has its phases alone. */
export function HoursView({ hours, clock }: HoursViewProps) {
  const { curves, stretches = [], ...range } = hours
  const hasCurves = curves.length > 0
  const Table = hasCurves ? ValueTable : PhaseTable
  return (
    <div className="mb-4">
      <ChartOrTable
        title={hoursTitle(hours)}
        chart={
          hasCurves ? (
            <HoursChart {...hours} clock={clock} />
          ) : (
            <Hypnogram {...range} stretches={stretches} clock={clock} />
          )
        }
        table={<Table hours={hours} clock={clock} />}
      />
    </div>
  )
}

const PhaseTable = ({ hours, clock }: HoursViewProps) => (
  <DataTable
    caption={hoursTitle(hours)}
    rowHeader="Time"
    rows={(hours.stretches ?? []).map((stretch) => ({
      ...stretch,
      key: String(stretch.from),
      label: stretchTimes(stretch, clock),
    }))}
    columns={[
      { header: "Phase", cell: phaseLabel },
      { header: "Duration", cell: ({ from, to }) => minutesText(to - from) },
    ]}
  />
)

const PHASE: Column<Moment> = { header: "Phase", cell: ({ stretch }) => (stretch ? phaseLabel(stretch) : NONE) }
const WORKOUT: Column<Moment> = { header: "Workout", cell: ({ workout }) => workout?.label ?? "" }

const ValueTable = ({ hours, clock }: HoursViewProps) => (
  <DataTable
    caption={hoursTitle(hours)}
    rowHeader="Time"
    rows={momentsOf(hours).map((moment) => ({
      ...moment,
      key: String(moment.step),
      label: formatClock(moment.from, clock),
    }))}
    columns={[
      ...(hours.stretches?.length ? [PHASE] : []),
      ...hours.curves.map(({ name, unit }, index) => ({
        header: `${capitalized(name)}, ${unit}`,
        cell: ({ values }: Moment) => figure(values[index] ?? null),
      })),
      ...(hours.workouts?.length ? [WORKOUT] : []),
    ]}
  />
)
