import { scaleLinear } from "@visx/scale"
import { ReadableChart } from "../charts/readable-chart.tsx"
import type { MetricColor } from "./metric-chart.ts"

const ROW = 42
const LABEL = 14
/** From the top of a row to the middle of its marks. */
const MIDDLE = 27
const AXIS = 22
const SIDE = 8
const TICK_WIDTH = 72
/** Width of a text of the axis. */
const TICK_TEXT = 44
/** From the middle of a text of the axis to the edge. */
const EDGE = 14
/** Width of the value at the end of a label. */
const FIGURE = 72

export interface Row {
  readonly label: string
  /** The label where there is no room for the labels of all rows. @default the label */
  readonly short?: string
  /** Null where there is nothing to draw. */
  readonly value: number | null
  /** Ends of the whisker around the value. */
  readonly range?: readonly [low: number, high: number] | null
  /** Single values behind the row's value, each with a name of its own. */
  readonly points?: readonly (readonly [name: string, value: number])[]
  /** The value as short text, at the end of the row's label. */
  readonly figure: string
  /** The row as text, without its label. */
  readonly text: string
  /** A row that is not clear is drawn hollow. */
  readonly isClear: boolean
}

interface RowChartProps {
  readonly title: string
  readonly hint: string
  readonly rows: readonly Row[]
  readonly color: MetricColor
  readonly tickText: (value: number, ticks: readonly number[]) => string
  /** The values that the axis names. @default round numbers */
  readonly ticks?: (scale: Scale, count: number) => readonly number[]
  /** A value that a line marks, as zero. */
  readonly reference?: number
  /** Values that the axis reaches in any case, so that nothing is not drawn as much. */
  readonly reach?: readonly number[]
}

/** A row for each group: its value, the range around it, and its single values, all on one axis. */
export function RowChart({
  title,
  hint,
  rows,
  color,
  tickText,
  ticks = roundTicks,
  reference,
  reach = [],
}: RowChartProps) {
  const floor = rows.length * ROW
  return (
    <ReadableChart
      title={title}
      items={rows}
      describe={({ label, text }) => `${label}: ${text}`}
      height={floor + AXIS}
      hint={hint}
      nearest={({ y }) => Math.min(Math.max(Math.floor(y / ROW), 0), rows.length - 1)}
    >
      {({ width, active }) => {
        const x = scaleLinear({
          domain: domainOf(rows, reach),
          range: [SIDE, Math.max(width - SIDE, SIDE)],
        })
        const labels = fitted(rows, width - FIGURE)
        return (
          <>
            <ValueAxis
              x={x}
              rowCount={rows.length}
              width={width}
              tickText={tickText}
              values={spacedTicks(ticks(x, Math.max(Math.floor(width / TICK_WIDTH), 2)), x)}
            />
            {reference !== undefined && <path d={ruleAt(x(reference), rows.length)} className="stroke-muted" />}
            {rows.map((row, index) => (
              <g
                key={row.label}
                transform={`translate(0 ${index * ROW})`}
                className={active && active !== row ? "opacity-45" : ""}
              >
                <text x={SIDE} y={LABEL} className="fill-muted text-[11px]">
                  {labels[index]}
                </text>
                <text
                  x={width - SIDE}
                  y={LABEL}
                  textAnchor="end"
                  className="fill-text text-[11px] font-medium tabular-nums"
                >
                  {row.figure}
                </text>
                <Marks row={row} x={x} color={color} />
              </g>
            ))}
          </>
        )
      }}
    </ReadableChart>
  )
}

type Scale = ReturnType<typeof scaleLinear<number>>

const roundTicks = (scale: Scale, count: number): readonly number[] => scale.ticks(count)

function Marks({ row: { value, range, points, isClear }, x, color }: { row: Row; x: Scale; color: MetricColor }) {
  return (
    <>
      {points?.map(([name, point]) => (
        <circle key={name} cx={x(point)} cy={MIDDLE} r={3} fillOpacity={0.3} className={color.fill} />
      ))}
      {range && (
        <path
          d={`M${x(range[0])} ${MIDDLE - 4}v8m0-4H${x(range[1])}m0-4v8`}
          fill="none"
          strokeWidth={2}
          className={color.stroke}
        />
      )}
      {value !== null && (
        <circle
          cx={x(value)}
          cy={MIDDLE}
          r={6}
          strokeWidth={2}
          className={`${isClear ? color.fill : "fill-canvas"} ${color.stroke}`}
        />
      )}
    </>
  )
}

/** A vertical line beside the marks of each row. It leaves the rows' labels out. */
const ruleAt = (x: number, rowCount: number): string =>
  Array.from({ length: rowCount }, (_, row) => `M${x} ${row * ROW + LABEL + 4}V${(row + 1) * ROW}`).join("")

/** Every second value, or fewer, where their texts would touch. */
function spacedTicks(values: readonly number[], x: Scale): readonly number[] {
  const [first = 0, second = Number.POSITIVE_INFINITY] = values
  const step = Math.max(Math.ceil(TICK_TEXT / Math.abs(x(second) - x(first))), 1)
  return values.filter((_, index) => index % step === 0)
}

function ValueAxis({
  x,
  rowCount,
  width,
  tickText,
  values,
}: Pick<RowChartProps, "tickText"> & { x: Scale; rowCount: number; width: number; values: readonly number[] }) {
  return (
    <g>
      {values.map((value) => (
        <g key={value}>
          <path d={ruleAt(x(value), rowCount)} className="stroke-line" />
          <text
            x={Math.min(Math.max(x(value), EDGE), width - EDGE)}
            y={rowCount * ROW + AXIS - 6}
            textAnchor="middle"
            className="fill-muted text-[11px] tabular-nums"
          >
            {tickText(value, values)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** The range of everything that is drawn, with a margin. */
function domainOf(rows: readonly Row[], reach: readonly number[]): [number, number] {
  const ofRows = rows.flatMap(({ value, range, points }) => [
    ...(value === null ? [] : [value]),
    ...(range ?? []),
    ...(points ?? []).map(([, point]) => point),
  ])
  const all = [...ofRows, ...reach]
  if (all.length === 0) return [0, 1]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const margin = (high - low || Math.abs(high) || 1) * 0.05
  return [low - margin, high + margin]
}

/** Width of a letter of the labels. */
const LETTER = 5.6

/** A label that is too long for the width ends with an ellipsis. The whole one is in text and table. */
function fitted(rows: readonly Row[], width: number): readonly string[] {
  const most = Math.max(Math.floor((width - 2 * SIDE) / LETTER), 8)
  const isShort = rows.some(({ label }) => label.length > most)
  return rows.map(({ label, short = label }) => {
    const text = isShort ? short : label
    return text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`
  })
}
