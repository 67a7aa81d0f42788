import type { TrendDay } from "@restwell/client"
import { clockTime } from "../format/clock-time.ts"
import type { Bucket } from "../trends/buckets.ts"
import type { Figure } from "../trends/figures.ts"
import { meanOf } from "../trends/means.ts"
import { missingText } from "../trends/missing.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import { yScaleOf } from "./layout.ts"
import { MissingMark } from "./missing-mark.tsx"

const HOUR = 60
const STEP = 3 * HOUR

const begin = (day: TrendDay): Figure =>
  day.sleep ? { value: day.sleep.start_minutes, missing: null } : { value: null, missing: "none" }
const end = (day: TrendDay): Figure =>
  day.sleep ? { value: day.sleep.end_minutes, missing: null } : { value: null, missing: "none" }

const timeText = (bucket: Bucket, of: typeof begin): string => {
  const { value } = meanOf(bucket.days, of)
  return value === null ? missingText("none") : clockTime(Math.round(value))
}

const readOut = (bucket: Bucket): string => {
  const { count } = meanOf(bucket.days, begin)
  if (count === 0) return `${bucket.label}: ${missingText("none")}`
  const mean = bucket.days.length > 1 ? ` (mean of ${count} of ${bucket.days.length} days)` : ""
  return `${bucket.label}: ${timeText(bucket, begin)} to ${timeText(bucket, end)}${mean}`
}

/** From when to when, on the clocks of where the nights were. */
export const TimingChart = ({ buckets }: { buckets: readonly Bucket[] }) => (
  <Chart
    title="Sleep timing"
    description="To bed and up, local time of each night's place."
    buckets={buckets}
    missingOf={(bucket) => meanOf(bucket.days, begin).missing}
    readOut={readOut}
    columns={[
      { header: "To bed", cell: (bucket) => timeText(bucket, begin) },
      { header: "Up", cell: (bucket) => timeText(bucket, end) },
    ]}
    legend={[{ label: "in bed", color: "bg-deep" }]}
  >
    {(plot) => <Spans buckets={buckets} plot={plot} />}
  </Chart>
)

function Spans({ buckets, plot: { x, width, active } }: { buckets: readonly Bucket[]; plot: Plot }) {
  const spans = buckets.map((bucket) => ({
    bucket,
    from: meanOf(bucket.days, begin).value,
    to: meanOf(bucket.days, end).value,
  }))
  const times = spans.flatMap(({ from, to }) => (from === null || to === null ? [] : [from, to]))
  const earliest = Math.floor(Math.min(-2 * HOUR, ...times) / STEP) * STEP
  const latest = Math.ceil(Math.max(8 * HOUR, ...times) / STEP) * STEP
  // The evening is above the morning, as a night goes.
  const y = yScaleOf(latest, earliest, false)
  const ticks = Array.from({ length: (latest - earliest) / STEP + 1 }, (_, index) => earliest + index * STEP)
  return (
    <>
      <YAxis scale={y} width={width} text={clockTime} ticks={ticks} />
      {spans.map(({ bucket, from, to }) => {
        const place = x(bucket.key)
        if (from === null || to === null)
          return <MissingMark key={bucket.key} x={place.center} missing="none" width={place.width} />
        return (
          <rect
            key={bucket.key}
            x={place.left}
            y={y(from)}
            width={place.width}
            height={Math.max(y(to) - y(from), 1)}
            rx={Math.min(4, place.width / 2)}
            className={`fill-deep ${active && active !== bucket ? "opacity-45" : ""}`}
          />
        )
      })}
    </>
  )
}
