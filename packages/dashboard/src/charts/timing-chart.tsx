import type { ReactNode } from "react"
import { clockTime } from "../format/clock-time.ts"
import type { Bucket } from "../trends/buckets.ts"
import { sleepFigure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { MISSING_TEXTS } from "../trends/missing.ts"
import { YAxis } from "./axes.tsx"
import { Chart } from "./chart.tsx"
import type { Plot } from "./chart-props.ts"
import { dimming, yScaleOf } from "./layout.ts"

const HOUR = 60
const STEP = 3 * HOUR

const startOf = sleepFigure(({ start_minutes }) => start_minutes)
const endOf = sleepFigure(({ end_minutes }) => end_minutes)

const timeText = (bucket: Bucket, figureOf: typeof startOf): string => {
  const { value } = meanOf(bucket.days, figureOf)
  return value === null ? MISSING_TEXTS.none : clockTime(Math.round(value))
}

const describe = (bucket: Bucket): string => {
  const { count } = meanOf(bucket.days, startOf)
  if (count === 0) return `${bucket.label}: ${MISSING_TEXTS.none}`
  const mean = bucket.days.length > 1 ? ` (mean of ${count} of ${bucket.days.length} days)` : ""
  return `${bucket.label}: ${timeText(bucket, startOf)} to ${timeText(bucket, endOf)}${mean}`
}

/** Bedtimes and wake times as bars, in the local time of each night. */
export const TimingChart = ({ buckets, footer }: { buckets: readonly Bucket[]; footer?: ReactNode }) => (
  <Chart
    title="Sleep timing"
    footer={footer}
    description="Bedtime and wake time, in the local time of each night."
    buckets={buckets}
    missingIn={(bucket) => meanOf(bucket.days, startOf).missing}
    sourceIn={(bucket) => meanOf(bucket.days, startOf).source}
    describe={describe}
    columns={[
      { header: "Bedtime", cell: (bucket) => timeText(bucket, startOf) },
      { header: "Wake time", cell: (bucket) => timeText(bucket, endOf) },
    ]}
    legend={[{ label: "in bed", color: "bg-deep" }]}
  >
    {(plot) => <Bars buckets={buckets} plot={plot} />}
  </Chart>
)

function Bars({ buckets, plot: { x, width, active } }: { buckets: readonly Bucket[]; plot: Plot }) {
  const bars = buckets.flatMap((bucket) => {
    const start = meanOf(bucket.days, startOf).value
    const end = meanOf(bucket.days, endOf).value
    return start === null || end === null ? [] : [{ bucket, start, end }]
  })
  const times = bars.flatMap(({ start, end }) => [start, end])
  const earliest = Math.floor(Math.min(-2 * HOUR, ...times) / STEP) * STEP
  const latest = Math.ceil(Math.max(8 * HOUR, ...times) / STEP) * STEP
  // The scale is reversed: the evening is above the morning.
  const y = yScaleOf(latest, earliest, false)
  const ticks = Array.from({ length: (latest - earliest) / STEP + 1 }, (_, index) => earliest + index * STEP)
  return (
    <>
      <YAxis scale={y} width={width} text={clockTime} ticks={ticks} />
      {bars.map(({ bucket, start, end }) => {
        const column = x(bucket.key)
        return (
          <rect
            key={bucket.key}
            x={column.left}
            y={y(start)}
            width={column.width}
            height={Math.max(y(end) - y(start), 1)}
            rx={Math.min(4, column.width / 2)}
            className={`fill-deep ${dimming(bucket, active)}`}
          />
        )
      })}
    </>
  )
}
