import type { Sign } from "@restwell/client"
import {
  bareText,
  besideUsual,
  capitalized,
  differentFromUsual,
  labelOf,
  usualRangeText,
  writtenUnit,
} from "@restwell/client/figures"
import { Panel } from "../components/page.tsx"
import { HistoryLink } from "../metrics/history-link.tsx"
import type { DayProps } from "./day.tsx"
import { RangeMeter } from "./range-meter.tsx"
import { figureOfDay, type Measurement, measurementsIn } from "./vitals.tsx"

type Band = NonNullable<ReturnType<Measurement["bandOf"]>>

/** A measurement that is different from usual. */
interface Difference {
  readonly measurement: Measurement
  readonly value: number
  readonly band: Band
  readonly direction: "below" | "above"
}

interface Compared {
  readonly differences: readonly Difference[]
  /** Others that are within their usual range, and outside of it. */
  readonly within: number
  readonly outside: number
}

function comparedOf({ signs, ...props }: DifferencesPanelProps): Compared {
  const compared = measurementsIn(props.preferences.units).flatMap((measurement) => {
    const { value, isOpen, band } = figureOfDay(measurement, props)
    if (value === null || band === null || isOpen) return []
    return [{ metric: measurement.metric.id, measurement, value, band, position: besideUsual(value, band) }]
  })
  const different = differentFromUsual(compared, signs)
  const differences = compared.flatMap(({ position, ...each }): Difference[] =>
    position === "within" || !different.includes(each.metric) ? [] : [{ ...each, direction: position }],
  )
  const within = compared.filter(({ position }) => position === "within").length
  return { differences, within, outside: compared.length - within - differences.length }
}

interface DifferencesPanelProps extends DayProps {
  /** Figures that are far from usual. */
  readonly signs: readonly Sign[]
}

/** How many measurements the panel names. Undefined where it says nothing. */
export function differenceCount(props: DifferencesPanelProps): number | undefined {
  const { differences, within, outside } = comparedOf(props)
  return differences.length + within + outside === 0 ? undefined : differences.length
}

/** What is not as usual in the night's measurements, and in calm words what is far from it. */
export function DifferencesPanel(props: DifferencesPanelProps) {
  const { signs } = props
  const { differences, within, outside } = comparedOf(props)
  if (differences.length + within + outside === 0) return null
  if (differences.length === 0)
    return <Panel title="No measurement is far from usual" description={nothingText(within, outside)} />
  const signOf = ({ measurement, direction }: Difference) =>
    signs.find((sign) => sign.metric === measurement.metric.id && sign.direction === direction)
  return (
    <Panel title="Different from usual">
      <ul className="flex flex-col gap-4">
        {differences.map((difference) => (
          <DifferenceRow key={difference.measurement.metric.id} difference={difference} sign={signOf(difference)} />
        ))}
      </ul>
      <p className="mt-4 text-sm text-muted">
        {within > 0 && `${within === 1 ? "Another one is" : `${within} others are`} within your usual range. `}
        {differences.some(signOf) && (
          <>
            About one morning in five has a figure far from usual by chance alone.{" "}
            <a href="/docs/insights#signs" className="underline">
              What this means
            </a>
          </>
        )}
      </p>
    </Panel>
  )
}

/** A single figure is outside of its range on most mornings. */
function nothingText(within: number, outside: number): string {
  if (outside > 0)
    return `${outside === 1 ? "One measurement is" : `${outside} measurements are`} just outside of the usual range, which is nothing special by itself.`
  return within === 1
    ? "Your measurement is within its usual range."
    : `All ${within} measurements of the night are within your usual range.`
}

const DifferenceRow = ({ difference, sign }: { difference: Difference; sign: Sign | undefined }) => {
  const { measurement, value, band } = difference
  return (
    <li className="relative">
      <div className="flex items-center justify-between gap-3">
        <h3 className="text-sm">
          <HistoryLink metric={measurement.id}>{labelOf(measurement.metric)}</HistoryLink>
        </h3>
        <p className="font-semibold whitespace-nowrap tabular-nums">
          {bareText(measurement.metric, value)}{" "}
          <span className="text-sm font-normal text-muted">{writtenUnit(measurement.metric)}</span>
        </p>
      </div>
      <RangeMeter {...difference} />
      <p className="mt-1 text-sm text-muted">
        {capitalized(sign ? `far ${difference.direction}` : difference.direction)} your usual{" "}
        {usualRangeText(measurement.metric, band)}
        {sign && sign.mornings > 1 && `, the ${ordinal(sign.mornings)} morning in a row`}.
      </p>
    </li>
  )
}

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh"] as const
const ordinal = (count: number): string => ORDINALS[count - 1] ?? `${count}th`
