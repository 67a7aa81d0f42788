import { useState } from "react"
import { Button } from "../components/button.tsx"
import { DataTable } from "../components/data-table.tsx"
import { Panel } from "../components/panel.tsx"
import { useMarks } from "../journal/marks-context.ts"
import { XAxis } from "./axes.tsx"
import type { ChartProps } from "./chart-props.ts"
import { JournalLegend, JournalMarks } from "./journal-mark.tsx"
import { FLOOR, HEIGHT, MARGIN, xScaleOf } from "./layout.ts"
import { Legend } from "./legend.tsx"
import { MissingMark } from "./missing-mark.tsx"
import { SourceChanges } from "./source-changes.tsx"
import { useCursor } from "./use-cursor.ts"
import { useWidth } from "./use-width.ts"
import { withMarks } from "./with-marks.ts"
import { changesOf, withSources } from "./with-sources.ts"

/**
 * A chart, or the same data as a table. Pointer and arrow keys move a cursor over the buckets.
 * Marks of the journal are below the date axis, and in the text and the table of every chart.
 * For screen readers the chart is a slider whose value text describes one bucket. WCAG 1.1.1, 2.1.1.
 */
export function Chart(given: ChartProps) {
  const marks = useMarks()
  const props = withMarks(withSources(given), marks)
  const { title, description, buckets, columns, legend, footer, missingIn, positions } = props
  const [isTable, setTable] = useState(false)
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <Button look="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? "Chart" : "Table"}
          <span className="sr-only"> of {title}</span>
        </Button>
      }
    >
      {isTable ? (
        <DataTable caption={title} rows={buckets.toReversed()} columns={columns} />
      ) : (
        <>
          <Drawing {...props} />
          <Legend entries={legend} missing={new Set(buckets.map((bucket) => missingIn?.(bucket) ?? null))}>
            {marks && !positions && <JournalLegend name={marks.name} />}
          </Legend>
        </>
      )}
      {footer}
    </Panel>
  )
}

function Drawing({ title, buckets, missingIn, sourceIn, describe, positions, children }: ChartProps) {
  const marks = useMarks()
  const [element, width] = useWidth<HTMLDivElement>()
  const x = xScaleOf(buckets, width)
  const cursor = useCursor(buckets.length, (pointerX, pointerY) =>
    nearestOf(positions?.(width) ?? buckets.map(({ key }) => [x(key).center, pointerY]), pointerX, pointerY),
  )
  const active = cursor.index === undefined ? undefined : buckets[cursor.index]
  const described = active ?? buckets.at(-1)
  const text = described ? describe(described) : "no data"
  const lastIndex = Math.max(buckets.length - 1, 0)
  return (
    <>
      <p aria-hidden="true" className="mb-2 min-h-10 text-sm text-muted tabular-nums sm:min-h-5">
        {text}
      </p>
      <div
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, use the arrow keys to read each value`}
        aria-orientation="horizontal"
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={lastIndex}
        aria-valuenow={cursor.index ?? lastIndex}
        aria-valuetext={text}
        className="touch-pan-y rounded-lg"
        style={{ height: HEIGHT }}
        {...cursor.handlers}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true" className="block overflow-visible">
            {active && !positions && <CursorLine x={x(active.key).center} />}
            {children({ width, x, active })}
            {buckets.map((bucket) => {
              const missing = missingIn?.(bucket)
              const { center, width: columnWidth } = x(bucket.key)
              return missing && <MissingMark key={bucket.key} x={center} missing={missing} width={columnWidth} />
            })}
            {marks && !positions && <JournalMarks buckets={buckets} x={x} marks={marks} />}
            {sourceIn && <SourceChanges changes={changesOf(buckets, sourceIn)} x={x} width={width} />}
            {!positions && <XAxis buckets={buckets} x={x} width={width} />}
          </svg>
        )}
      </div>
    </>
  )
}

const CursorLine = ({ x }: { x: number }) => (
  <line x1={x} x2={x} y1={MARGIN.top} y2={FLOOR} className="stroke-line-strong" strokeDasharray="3 3" />
)

/** Returns the index of the position that is nearest to the pointer. */
function nearestOf(
  positions: readonly (readonly [number, number] | null)[],
  pointerX: number,
  pointerY: number,
): number | undefined {
  const distances = positions.map((position) =>
    position ? Math.hypot(position[0] - pointerX, position[1] - pointerY) : Number.POSITIVE_INFINITY,
  )
  const shortest = Math.min(...distances)
  return Number.isFinite(shortest) ? distances.indexOf(shortest) : undefined
}
