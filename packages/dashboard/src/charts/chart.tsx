import type { ReactNode } from "react"
import type { Column } from "../components/data-table.tsx"
import type { Missing } from "../format/number.ts"
import { providerName } from "../format/provider-name.ts"
import type { Bucket } from "../trends/days.ts"
import { CursorLine, DescribedMark, XAxis } from "./axes.tsx"
import { ChartPanel, type ChartText } from "./chart-panel.tsx"
import { JournalLegend, JournalMarks, type Marks, markText, useMarks } from "./journal-marks.tsx"
import { nearestOf, type XScale, xScaleOf } from "./layout.ts"
import { Legend, type LegendEntry, MissingMark } from "./legend.tsx"
import { OpenDays } from "./open-days.tsx"
import { ReadableChart } from "./readable-chart.tsx"
import { FLOOR, HEIGHT, MARGIN } from "./sizes.ts"

export interface Plot {
  readonly width: number
  readonly x: XScale
  /** The bucket under the cursor. */
  readonly active: Bucket | undefined
  /** The bucket of the text above the chart: the one under the cursor, or else the newest with a value. */
  readonly described: Bucket | undefined
}

interface ChartProps extends ChartText {
  readonly buckets: readonly Bucket[]
  /** Why a bucket has no value; null when it has one. */
  readonly missingIn?: (bucket: Bucket) => Missing | null
  /** The source of a bucket's value, where values have one. */
  readonly sourceIn?: (bucket: Bucket) => string | null
  /** One bucket as text. */
  readonly describe: (bucket: Bucket) => string
  readonly columns: readonly Column<Bucket>[]
  readonly legend: readonly LegendEntry[]
  /** Positions of the buckets in a chart without a date axis. */
  readonly positions?: (width: number) => readonly (readonly [x: number, y: number] | null)[]
  readonly children: (plot: Plot) => ReactNode
}

/** Adds the answers of the journal to the text of a bucket and to the table. */
function withMarks(props: ChartProps, marks: Marks | undefined): ChartProps {
  if (!marks) return props
  return {
    ...props,
    describe: (bucket) => `${props.describe(bucket)}; ${marks.name}: ${markText(bucket, marks)}`,
    columns: [...props.columns, { header: marks.name, cell: (bucket) => markText(bucket, marks) }],
  }
}

/** The first bucket of a source after values of another one. */
interface SourceChange {
  readonly bucket: Bucket
  readonly source: string
}

/** Returns where the source changes, beginning with the first one. */
function changesOf(buckets: readonly Bucket[], sourceIn: (bucket: Bucket) => string | null): SourceChange[] {
  const changes: SourceChange[] = []
  for (const bucket of buckets) {
    const source = sourceIn(bucket)
    if (source !== null && source !== changes.at(-1)?.source) changes.push({ bucket, source })
  }
  return changes
}

/** Names the source of each value in texts, table and legend. Does not change a chart whose values all have the same source. */
function withSources(chart: ChartProps): ChartProps {
  const { buckets, sourceIn, describe, columns, legend } = chart
  if (!sourceIn || changesOf(buckets, sourceIn).length < 2) return chart
  const nameIn = (bucket: Bucket): string => {
    const source = sourceIn(bucket)
    return source === null ? "" : providerName(source)
  }
  return {
    ...chart,
    describe: (bucket) => (nameIn(bucket) === "" ? describe(bucket) : `${describe(bucket)}, from ${nameIn(bucket)}`),
    columns: [...columns, { header: "Source", cell: nameIn }],
    legend: [...legend, { label: "another source", color: "border-muted", shape: "line" }],
  }
}

/** Width of a letter of the labels. */
const LETTER_WIDTH = 6
const PADDING = 4

/** A dashed line where the values of another source begin, and the names of the sources where they fit. */
function SourceChanges({ changes, x, width }: { changes: readonly SourceChange[]; x: XScale; width: number }) {
  if (changes.length < 2) return null
  const edges = changes.map(({ bucket }, index) => (index === 0 ? MARGIN.left : edgeOf(x, bucket.key)))
  return (
    <g>
      {changes.map(({ bucket, source }, index) => {
        const edge = edges[index] ?? MARGIN.left
        const name = providerName(source)
        const space = (edges[index + 1] ?? width - MARGIN.right) - edge
        return (
          <g key={bucket.key} transform={`translate(${edge} 0)`}>
            {index > 0 && <line y1={0} y2={FLOOR} className="stroke-muted" strokeDasharray="2 3" />}
            {name.length * LETTER_WIDTH + 2 * PADDING <= space && (
              <text x={PADDING} y={7} className="fill-muted text-[10px]">
                {name}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

/** The middle of the gap before a bucket. */
function edgeOf(x: XScale, key: string): number {
  const { left, width } = x(key)
  return left - width * 0.2
}

/** A chart, or the same data as a table. Marks of the journal are below the date axis, and in the text and the table of every chart. */
export function Chart(given: ChartProps) {
  const marks = useMarks()
  const props = withMarks(withSources(given), marks)
  const { buckets, columns, legend, missingIn, positions } = props
  return (
    <ChartPanel {...props} table={{ rows: buckets.toReversed(), columns }}>
      <Drawing {...props} />
      <Legend entries={legend} missing={new Set(buckets.map((bucket) => missingIn?.(bucket) ?? null))}>
        {marks && !positions && <JournalLegend name={marks.name} />}
      </Legend>
    </ChartPanel>
  )
}

/** The index of the newest bucket with a value, or else of the newest. The width does not change which has one. */
function newestIndex({
  buckets,
  missingIn,
  positions,
}: Pick<ChartProps, "buckets" | "missingIn" | "positions">): number {
  const found = positions
    ? positions(1).findLastIndex((position) => position !== null)
    : buckets.findLastIndex((bucket) => (missingIn?.(bucket) ?? null) === null)
  return found < 0 ? buckets.length - 1 : found
}

function Drawing(props: ChartProps) {
  const { title, buckets, missingIn, sourceIn, describe, positions, children } = props
  const marks = useMarks()
  return (
    <ReadableChart
      title={title}
      items={buckets}
      describe={describe}
      height={HEIGHT}
      restingIndex={newestIndex(props)}
      textClass="mb-2 min-h-10 text-sm sm:min-h-5"
      actionOf={(bucket) => <OpenDays bucket={bucket} />}
      nearest={({ x: pointerX, y: pointerY, width }) => {
        const x = xScaleOf(buckets, width)
        return nearestOf(positions?.(width) ?? buckets.map(({ key }) => [x(key).center, pointerY]), pointerX, pointerY)
      }}
    >
      {({ width, active, described }) => {
        const x = xScaleOf(buckets, width)
        return (
          <>
            {active && !positions && <CursorLine x={x(active.key).center} />}
            {!active && described && !positions && <DescribedMark x={x(described.key).center} />}
            {children({ width, x, active, described })}
            {buckets.map((bucket) => {
              const missing = missingIn?.(bucket)
              const { center, width: columnWidth } = x(bucket.key)
              return missing && <MissingMark key={bucket.key} x={center} missing={missing} width={columnWidth} />
            })}
            {marks && !positions && <JournalMarks buckets={buckets} x={x} marks={marks} />}
            {sourceIn && <SourceChanges changes={changesOf(buckets, sourceIn)} x={x} width={width} />}
            {!positions && <XAxis buckets={buckets} x={x} width={width} />}
          </>
        )
      }}
    </ReadableChart>
  )
}
