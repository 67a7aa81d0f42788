import { providerName } from "../format/provider-name.ts"
import type { Bucket } from "../trends/buckets.ts"
import type { ChartProps } from "./chart-props.ts"

/** The first bucket of a source after values of another one. */
export interface SourceChange {
  readonly bucket: Bucket
  readonly source: string
}

/** Returns where the source changes, beginning with the first one. */
export function changesOf(buckets: readonly Bucket[], sourceIn: (bucket: Bucket) => string | null): SourceChange[] {
  const changes: SourceChange[] = []
  for (const bucket of buckets) {
    const source = sourceIn(bucket)
    if (source !== null && source !== changes.at(-1)?.source) changes.push({ bucket, source })
  }
  return changes
}

/** Names the source of each value in texts, table and legend. Does not change a chart whose values all have the same source. */
export function withSources(chart: ChartProps): ChartProps {
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
