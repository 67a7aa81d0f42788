import type { Bucket } from "../trends/days.ts"
import { FLOOR, HEIGHT, MARGIN, type XScale, type YScale } from "./layout.ts"

const TICK_WIDTH = 64

/** Horizontal grid lines with their values. */
export const YAxis = ({
  scale,
  width,
  text,
  ticks = scale.ticks(4),
}: {
  scale: YScale
  width: number
  text: (value: number) => string
  ticks?: readonly number[]
}) => (
  <g>
    {ticks.map((value) => (
      <g key={value} transform={`translate(0 ${scale(value)})`}>
        <line x1={MARGIN.left} x2={width - MARGIN.right} className="stroke-line" />
        <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end" className="fill-muted text-[11px] tabular-nums">
          {text(value)}
        </text>
      </g>
    ))}
  </g>
)

/** As many dates as fit, always including the newest. */
export function XAxis({
  buckets,
  x,
  width,
}: {
  buckets: readonly Pick<Bucket, "key" | "tick">[]
  x: XScale
  width: number
}) {
  const capacity = Math.max(Math.floor((width - MARGIN.left) / TICK_WIDTH), 1)
  const step = Math.ceil(buckets.length / capacity)
  const labelled = buckets.filter((_, index) => (buckets.length - 1 - index) % step === 0)
  return (
    <g>
      <line x1={MARGIN.left} x2={width - MARGIN.right} y1={FLOOR} y2={FLOOR} className="stroke-line-strong" />
      {labelled.map(({ key, tick }, index) => (
        <text
          key={key}
          x={index === labelled.length - 1 ? Math.min(x(key).center, width - 18) : x(key).center}
          y={HEIGHT - 6}
          textAnchor="middle"
          className="fill-muted text-[11px]"
        >
          {tick}
        </text>
      ))}
    </g>
  )
}

/** Where the cursor is. */
export const CursorLine = ({ x }: { x: number }) => (
  <line x1={x} x2={x} y1={MARGIN.top} y2={FLOOR} className="stroke-line-strong" strokeDasharray="3 3" />
)

/** Points at the value that the text above the chart describes while the cursor is elsewhere. */
export const DescribedMark = ({ x }: { x: number }) => (
  <path d={`M${x - 4} 0h8l-4 5z`} className="fill-muted print:hidden" />
)
