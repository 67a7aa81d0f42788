import { type Marks, markText } from "../journal/marks.ts"
import type { ChartProps } from "./chart-props.ts"

/** Adds the answers of the journal to the text of a bucket and to the table. */
export function withMarks(props: ChartProps, marks: Marks | undefined): ChartProps {
  if (!marks) return props
  return {
    ...props,
    describe: (bucket) => `${props.describe(bucket)}; ${marks.name}: ${markText(bucket, marks)}`,
    columns: [...props.columns, { header: marks.name, cell: (bucket) => markText(bucket, marks) }],
  }
}
