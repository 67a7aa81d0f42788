import type { DisplayPreferences } from "@restwell/client"
import { clockTick, figure, formatClock, hoursText } from "@restwell/client/figures"
import { HOUR_MINUTES } from "@restwell/client/time-units"
import { usePreferences } from "../api/preferences.ts"
import { MISSING_TEXTS } from "../format/number.ts"
import type { Bucket } from "../trends/days.ts"
import { FIGURES, meanOf, meanText, sleepFigure } from "../trends/figures.ts"
import { YAxis } from "./axes.tsx"
import { Chart, type Plot } from "./chart.tsx"
import type { ChartFrame } from "./chart-panel.tsx"
import { dimming, yScaleOf } from "./layout.ts"
import { SLEEP_STAGES } from "./phases.ts"

type StageKey = (typeof SLEEP_STAGES)[number]["key"]

const asleepIn = (bucket: Bucket) => meanOf(bucket.days, FIGURES.asleepHours)
const hoursIn = (bucket: Bucket, key: StageKey): number | null =>
  meanOf(
    bucket.days,
    sleepFigure((sleep) => sleep[key]),
  ).value
const asleepText = (bucket: Bucket): string => meanText(asleepIn(bucket), bucket, hoursText)
const stageText = (bucket: Bucket, key: StageKey): string => hoursText(hoursIn(bucket, key))

const describeStages = (bucket: Bucket): string => {
  const asleep = `${bucket.label}: ${asleepText(bucket)}`
  if (asleepIn(bucket).value === null) return asleep
  return `${asleep} asleep: ${SLEEP_STAGES.map(({ key, label }) => `${label} ${stageText(bucket, key)}`).join(", ")}`
}

/** The sleep stages as stacked columns. */
export const StagesChart = ({ buckets, frame }: { buckets: readonly Bucket[]; frame: ChartFrame }) => (
  <Chart
    {...frame}
    title="Sleep stages"
    buckets={buckets}
    missingIn={(bucket) => asleepIn(bucket).missing}
    sourceIn={(bucket) => asleepIn(bucket).source}
    describe={describeStages}
    columns={[
      { header: "Asleep", cell: asleepText },
      ...SLEEP_STAGES.map(({ key, label }) => ({ header: label, cell: (bucket: Bucket) => stageText(bucket, key) })),
    ]}
    legend={SLEEP_STAGES}
  >
    {(plot) => <Stacks buckets={buckets} plot={plot} />}
  </Chart>
)

function Stacks({ buckets, plot: { x, width, active } }: { buckets: readonly Bucket[]; plot: Plot }) {
  const stacks = buckets.map((bucket) => {
    let top = 0
    const parts = SLEEP_STAGES.map(({ key, fill }) => {
      const bottom = top
      top += hoursIn(bucket, key) ?? 0
      return { key, fill, bottom, top }
    })
    return { bucket, parts: asleepIn(bucket).value === null ? [] : parts, total: top }
  })
  const y = yScaleOf(0, Math.max(8, ...stacks.map(({ total }) => total)))
  return (
    <>
      <YAxis scale={y} width={width} text={(value) => `${figure(value)} h`} />
      {stacks.map(({ bucket, parts }) => (
        <g key={bucket.key} className={dimming(bucket, active)}>
          {parts.map(({ key, fill, bottom, top }) => (
            <rect
              key={key}
              x={x(bucket.key).left}
              y={y(top)}
              width={x(bucket.key).width}
              height={Math.max(y(bottom) - y(top) - 0.75, 0)}
              className={fill}
            />
          ))}
        </g>
      ))}
    </>
  )
}

const STEP = 3 * HOUR_MINUTES

const { bedtime: startOf, wakeTime: endOf } = FIGURES

type Clock = DisplayPreferences["clock"]

const timeText = (bucket: Bucket, figureOf: typeof startOf, clock: Clock): string => {
  const { value, missing } = meanOf(bucket.days, figureOf)
  return value === null ? MISSING_TEXTS[missing] : formatClock(Math.round(value), clock)
}

const describeTiming = (bucket: Bucket, clock: Clock): string => {
  const { count, missing } = meanOf(bucket.days, startOf)
  if (missing !== null) return `${bucket.label}: ${MISSING_TEXTS[missing]}`
  const mean = bucket.days.length > 1 ? ` (mean of ${count} of ${bucket.days.length} days)` : ""
  return `${bucket.label}: ${timeText(bucket, startOf, clock)} to ${timeText(bucket, endOf, clock)}${mean}`
}

/** Bedtimes and wake times as bars, in the local time of each night. */
export function TimingChart({ buckets, frame }: { buckets: readonly Bucket[]; frame: ChartFrame }) {
  const { clock } = usePreferences()
  return (
    <Chart
      {...frame}
      title="Sleep timing"
      buckets={buckets}
      missingIn={(bucket) => meanOf(bucket.days, startOf).missing}
      sourceIn={(bucket) => meanOf(bucket.days, startOf).source}
      describe={(bucket) => describeTiming(bucket, clock)}
      columns={[
        { header: "Bedtime", cell: (bucket) => timeText(bucket, startOf, clock) },
        { header: "Wake time", cell: (bucket) => timeText(bucket, endOf, clock) },
      ]}
      legend={[{ label: "In bed", color: "bg-deep" }]}
    >
      {(plot) => <Bars buckets={buckets} plot={plot} clock={clock} />}
    </Chart>
  )
}

interface BarsProps {
  readonly buckets: readonly Bucket[]
  readonly plot: Plot
  readonly clock: Clock
}

function Bars({ buckets, plot: { x, width, active }, clock }: BarsProps) {
  const bars = buckets.flatMap((bucket) => {
    const start = meanOf(bucket.days, startOf).value
    const end = meanOf(bucket.days, endOf).value
    return start === null || end === null ? [] : [{ bucket, start, end }]
  })
  const times = bars.flatMap(({ start, end }) => [start, end])
  const earliest = Math.floor(Math.min(-2 * HOUR_MINUTES, ...times) / STEP) * STEP
  const latest = Math.ceil(Math.max(8 * HOUR_MINUTES, ...times) / STEP) * STEP
  // The scale is reversed: the evening is above the morning.
  const y = yScaleOf(latest, earliest, false)
  const ticks = Array.from({ length: (latest - earliest) / STEP + 1 }, (_, index) => earliest + index * STEP)
  return (
    <>
      <YAxis scale={y} width={width} text={(minutes) => clockTick(minutes, clock)} ticks={ticks} />
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
