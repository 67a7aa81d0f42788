import type { ReactNode } from "react"
import type { Column } from "../components/data-table.tsx"
import type { Bucket } from "../trends/buckets.ts"
import type { Missing } from "../trends/missing.ts"
import type { XScale } from "./layout.ts"
import type { LegendEntry } from "./legend.tsx"

export interface Plot {
  readonly width: number
  readonly x: XScale
  /** The bucket under the cursor. */
  readonly active: Bucket | undefined
}

export interface ChartProps {
  readonly title: string
  readonly description: string
  readonly buckets: readonly Bucket[]
  /** Why a bucket has no value; null when it has one. */
  readonly missingIn?: (bucket: Bucket) => Missing | null
  /** The source of a bucket's value, where values have one. */
  readonly sourceIn?: (bucket: Bucket) => string | null
  /** One bucket as text. */
  readonly describe: (bucket: Bucket) => string
  readonly columns: readonly Column<Bucket>[]
  readonly legend: readonly LegendEntry[]
  /** Below the legend and the table. */
  readonly footer?: ReactNode
  /** Positions of the buckets in a chart without a date axis. */
  readonly positions?: (width: number) => readonly (readonly [x: number, y: number] | null)[]
  readonly children: (plot: Plot) => ReactNode
}
