import { scaleLinear } from "@visx/scale"
import type { MetricColor } from "./metric-color.ts"
import { ReadableChart } from "./readable-chart.tsx"

const ROW = 42
const LABEL = 14
/** From the top of a row to the middle of its marks. */
const MIDDLE = 27
const AXIS = 22
const SIDE = 8
const TICK_WIDTH = 72
/** Width of the value at the end of a label. */
const FIGURE = 64

export interface Row {
  readonly label: string
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
  readonly tickText: (value: number) => string
  /** The values that the axis names. @default round numbers */
  readonly ticks?: (scale: Scale, count: number) => readonly number[]
  /** A value that a line marks, as zero. */
  readonly reference?: number
}

/** A row for each group: its value, the range around it, and its single values, all on one axis. */
export function RowChart({ title, hint, rows, color, tickText, ticks = roundTicks, reference }: RowChartProps) {
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
          domain: domainOf(rows, reference),
          range: [SIDE, Math.max(width - SIDE, SIDE)],
        })
        return (
          <>
            <ValueAxis
              x={x}
              floor={floor}
              width={width}
              tickText={tickText}
              values={ticks(x, Math.max(Math.floor(width / TICK_WIDTH), 2))}
            />
            {reference !== undefined && (
              <line x1={x(reference)} x2={x(reference)} y1={0} y2={floor} className="stroke-muted" />
            )}
            {rows.map((row, index) => (
              <g
                key={row.label}
                transform={`translate(0 ${index * ROW})`}
                className={active && active !== row ? "opacity-45" : ""}
              >
                <text x={SIDE} y={LABEL} className="fill-muted text-[11px]">
                  {fitted(row.label, width - FIGURE)}
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

function ValueAxis({
  x,
  floor,
  width,
  tickText,
  values,
}: Pick<RowChartProps, "tickText"> & { x: Scale; floor: number; width: number; values: readonly number[] }) {
  return (
    <g>
      {values.map((value) => (
        <g key={value} transform={`translate(${x(value)} 0)`}>
          <line y1={0} y2={floor} className="stroke-line" />
          <text
            y={floor + AXIS - 6}
            textAnchor={x(value) < 20 ? "start" : x(value) > width - 20 ? "end" : "middle"}
            className="fill-muted text-[11px] tabular-nums"
          >
            {tickText(value)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** The range of everything that is drawn, with a margin. */
function domainOf(rows: readonly Row[], reference: number | undefined): [number, number] {
  const all = rows.flatMap(({ value, range, points }) => [
    ...(value === null ? [] : [value]),
    ...(range ?? []),
    ...(points ?? []).map(([, point]) => point),
  ])
  if (reference !== undefined) all.push(reference)
  if (all.length === 0) return [0, 1]
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const margin = (high - low || Math.abs(high) || 1) * 0.05
  return [low - margin, high + margin]
}

/** Width of a letter of the labels. */
const LETTER = 5.6

/** A label that is too long for the width ends with an ellipsis. The whole one is in text and table. */
function fitted(label: string, width: number): string {
  const most = Math.max(Math.floor((width - 2 * SIDE) / LETTER), 8)
  return label.length <= most ? label : `${label.slice(0, most - 1)}\u2026`
}
