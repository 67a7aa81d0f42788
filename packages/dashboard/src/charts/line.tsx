import { LinePath } from "@visx/shape"

/** A value at its place in the drawing. */
export interface LinePoint {
  readonly key: string
  readonly x: number
  /** Null without a value. */
  readonly y: number | null
  /** Values of different sources are not joined. */
  readonly source?: string | null
}

type KnownPoint = LinePoint & { readonly y: number }

/** The parts of a line. It ends before a missing value, and before a value of another source. */
function runsOf(points: readonly LinePoint[]): KnownPoint[][] {
  const runs: KnownPoint[][] = []
  let last: LinePoint | undefined
  for (const { y, ...rest } of points) {
    const point = y === null ? undefined : { ...rest, y }
    if (point && last && last.source === point.source) runs.at(-1)?.push(point)
    else if (point) runs.push([point])
    last = point
  }
  return runs
}

/** With more values, dots of full size would cover the line. */
const MOST_LARGE_DOTS = 40

interface ValueLineProps {
  readonly points: readonly LinePoint[]
  readonly color: { readonly stroke: string; readonly fill: string }
  /** Key of the value under the cursor. */
  readonly activeKey: string | undefined
}

/** A line through the values, with a dot for each. */
export function ValueLine({ points, color, activeKey }: ValueLineProps) {
  const runs = runsOf(points)
  const radiusOf = (key: string, run: readonly KnownPoint[]): number => {
    if (key === activeKey) return 5
    // A value without neighbours has no line, so its dot must be large enough by itself.
    return points.length > MOST_LARGE_DOTS && run.length > 1 ? 1.5 : 3
  }
  return (
    <>
      {runs.map((run) => (
        <LinePath
          key={run[0]?.key}
          data={run}
          x={({ x }) => x}
          y={({ y }) => y}
          className={color.stroke}
          strokeWidth={2}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      ))}
      {runs.flatMap((run) =>
        run.map(({ key, x, y }) => <circle key={key} cx={x} cy={y} r={radiusOf(key, run)} className={color.fill} />),
      )}
    </>
  )
}
