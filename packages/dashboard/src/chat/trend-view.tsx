import type { ChartOf } from "@restwell/client"
import { Legend, type LegendEntry } from "../charts/legend.tsx"
import { providerName } from "../format/provider-name.ts"
import { datesText } from "./dates-text.ts"
import { FigureFrame } from "./figure-frame.tsx"
import { colorOf } from "./metric-color.ts"
import { figureText } from "./metric-text.ts"
import { trendSentence } from "./sentences.ts"
import { bucketLabel, bucketText, MEAN_TEXTS, trendBuckets } from "./trend-buckets.ts"
import { TrendDrawing } from "./trend-drawing.tsx"
import { hasTrendLine } from "./trend-line.ts"

/** The values of a metric over a period, with the usual range and, where there is one, the trend. */
export function TrendView({ chart }: { chart: ChartOf<"trend"> }) {
  const { metric, answer, url } = chart
  const { grain, buckets } = trendBuckets(chart)
  const { period, source, mean, n, usual } = answer
  const hasValues = buckets.some(({ value }) => value !== null)
  const isMissing = new Set(buckets.map(({ value }) => (value === null ? ("none" as const) : null)))
  const rows = buckets.toReversed().map((bucket): [string, string] => [bucketLabel(bucket), bucketText(metric, bucket)])
  return (
    <FigureFrame
      title={metric.title}
      subtitle={`${datesText(period)}, ${providerName(source.provider)}${n > 0 ? `, mean ${figureText(metric, mean)}` : ""}`}
      sentence={trendSentence(metric, answer)}
      notes={answer.notes}
      url={url}
      table={hasValues ? { caption: metric.title, headers: ["Date", metric.title], rows } : undefined}
    >
      {hasValues && (
        <>
          <TrendDrawing chart={chart} buckets={buckets} hint={MEAN_TEXTS[grain]} />
          <Legend entries={legendOf(chart, usual !== null)} missing={isMissing} />
        </>
      )}
    </FigureFrame>
  )
}

const legendOf = ({ metric, answer }: ChartOf<"trend">, hasUsual: boolean): readonly LegendEntry[] => [
  { label: metric.title, color: colorOf(metric.id).background },
  ...(hasUsual ? [{ label: "usual range before the newest value", color: "bg-band", shape: "band" as const }] : []),
  ...(hasTrendLine(answer) ? [{ label: "trend", color: "border-text", shape: "line" as const }] : []),
]
