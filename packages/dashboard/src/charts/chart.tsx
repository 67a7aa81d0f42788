import { type ReactNode, useState } from "react"
import { Button } from "../components/button.tsx"
import { ChartTable, type Column } from "../components/data-table.tsx"
import { Panel } from "../components/panel.tsx"
import type { Bucket } from "../trends/buckets.ts"
import type { Missing } from "../trends/missing.ts"
import { XAxis } from "./axes.tsx"
import { FLOOR, HEIGHT, MARGIN, type XScale, xScaleOf } from "./layout.ts"
import { Legend, type LegendEntry } from "./legend.tsx"
import { useReader } from "./use-cursor.ts"
import { useWidth } from "./use-width.ts"

export interface Plot {
  readonly width: number
  readonly x: XScale
  /** The place that is being read. */
  readonly active: Bucket | undefined
}

export interface ChartProps {
  readonly title: string
  readonly description: string
  readonly buckets: readonly Bucket[]
  /** Why a place has no figure; null where it has one. */
  readonly missingOf?: (bucket: Bucket) => Missing | null
  /** One place in words. */
  readonly readOut: (bucket: Bucket) => string
  readonly columns: readonly Column[]
  readonly legend: readonly LegendEntry[]
  /** Where places are when they are not side by side. */
  readonly positions?: (plot: Plot) => readonly (readonly [x: number, y: number] | null)[]
  readonly children: (plot: Plot) => ReactNode
}

/**
 * A chart: drawn for the eye, read place by place with pointer or arrow keys, and a table of the same on demand. To a screen reader it is a
 * slider over its places whose text is what the place says. WCAG 1.1.1, 2.1.1
 */
export function Chart(props: ChartProps) {
  const { title, description, buckets, columns, legend } = props
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
      {isTable ? <ChartTable caption={title} buckets={buckets} columns={columns} /> : <Drawing {...props} />}
      {!isTable && <Legend entries={legend} missing={missingIn(props)} />}
    </Panel>
  )
}

const missingIn = ({ buckets, missingOf }: ChartProps): ReadonlySet<Missing> =>
  new Set(buckets.map((bucket) => missingOf?.(bucket) ?? null).filter((missing) => missing !== null))

function Drawing({ title, buckets, readOut, positions, children }: ChartProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const x = xScaleOf(buckets, width)
  const reader = useReader(buckets.length, (pointerX, pointerY) => {
    const places =
      positions?.({ width, x, active: undefined }) ?? buckets.map(({ key }) => [x(key).center, pointerY] as const)
    return nearestOf(places, pointerX, pointerY)
  })
  const active = reader.index === undefined ? undefined : buckets[reader.index]
  const newest = buckets.at(-1)
  const read = active ?? newest
  return (
    <>
      <p aria-hidden="true" className="mb-2 min-h-10 text-sm text-muted tabular-nums sm:min-h-5">
        {read && readOut(read)}
      </p>
      <div
        ref={element}
        role="slider"
        tabIndex={0}
        aria-label={`${title}, arrow keys read it place by place`}
        aria-orientation="horizontal"
        aria-readonly="true"
        aria-valuemin={0}
        aria-valuemax={Math.max(buckets.length - 1, 0)}
        aria-valuenow={reader.index ?? Math.max(buckets.length - 1, 0)}
        aria-valuetext={read ? readOut(read) : "nothing to read"}
        className="touch-pan-y rounded-lg"
        style={{ height: HEIGHT }}
        {...reader.handlers}
      >
        {width > 0 && (
          <svg width={width} height={HEIGHT} aria-hidden="true" className="block overflow-visible">
            {active && !positions && <Cursor x={x(active.key).center} />}
            {children({ width, x, active })}
            {!positions && <XAxis buckets={buckets} x={x} width={width} />}
          </svg>
        )}
      </div>
    </>
  )
}

const Cursor = ({ x }: { x: number }) => (
  <line x1={x} x2={x} y1={MARGIN.top} y2={FLOOR} className="stroke-line-strong" strokeDasharray="3 3" />
)

function nearestOf(
  places: readonly (readonly [number, number] | null)[],
  pointerX: number,
  pointerY: number,
): number | undefined {
  let best: number | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (const [index, place] of places.entries()) {
    if (!place) continue
    const distance = Math.hypot(place[0] - pointerX, place[1] - pointerY)
    if (distance < shortest) {
      shortest = distance
      best = index
    }
  }
  return best
}
