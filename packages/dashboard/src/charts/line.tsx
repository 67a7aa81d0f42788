import { capitalized, markText } from "@restwell/client/figures"
import { scaleLinear } from "@visx/scale"
import { LinePath } from "@visx/shape"
import { type TimeScale, YAxis } from "./axes.tsx"
import { paddedRange } from "./layout.ts"
import { MARGIN } from "./sizes.ts"

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

/** Values at even steps of a time. */
export interface Curve {
  /** "heart rate", as in a sentence. */
  readonly name: string
  readonly unit: string
  readonly color: { readonly stroke: string; readonly fill: string }
  /** A mean for each step; null without a value. */
  readonly values: readonly (number | null)[]
  /** A value that is marked. */
  readonly mark?: { readonly minutes: number; readonly value: number } | undefined
  /** Where the values come from, if that is not clear from what is around. */
  readonly from?: string | undefined
}

/** The space above a curve for its name, and below for the text of its mark. */
const ABOVE = 20
const BELOW = 16

interface CurveLineProps {
  readonly curve: Curve
  /** The middle of a step, in minutes. */
  readonly minutesAt: (step: number) => number
  readonly x: TimeScale
  readonly top: number
  readonly height: number
  readonly width: number
  /** False where the title of the chart is the name. */
  readonly isNamed: boolean
  /** The step under the cursor. */
  readonly activeStep: number | undefined
}

/** Steps without a value that a line spans: many devices measure every few minutes only. */
const MOST_SPANNED = 3

/** The steps that a line is drawn through. Of each long time without values, one step without ends the line. */
function drawnSteps(values: Curve["values"]): number[] {
  let empty = 0
  return values.flatMap((value, step) => {
    empty = value === null ? empty + 1 : 0
    return value !== null || empty === MOST_SPANNED + 1 ? [step] : []
  })
}

/** A curve below its name, on a scale of its own. */
export function CurveLine({ curve, minutesAt, x, top, height, width, isNamed, activeStep }: CurveLineProps) {
  const { name, unit, color, values, mark, from } = curve
  const known = values.filter((value) => value !== null)
  const y = scaleLinear({
    domain: [...paddedRange(mark ? [...known, mark.value] : known)],
    range: [height - BELOW, isNamed ? ABOVE : BELOW],
  })
  return (
    <g transform={`translate(0 ${top})`}>
      {isNamed && (
        <text x={MARGIN.left} y={12} className="fill-muted text-[11px]">
          {capitalized(name)}, {unit}
          {from !== undefined && `, from ${from}`}
        </text>
      )}
      {known.length > 0 && <YAxis scale={y} width={width} text={markText} ticks={y.ticks(3)} />}
      <ValueLine
        points={drawnSteps(values).map((step) => {
          const value = values[step] ?? null
          return { key: String(step), x: x(minutesAt(step)), y: value === null ? null : y(value) }
        })}
        color={color}
        activeKey={activeStep === undefined ? undefined : String(activeStep)}
      />
      {mark && (
        <g transform={`translate(${x(mark.minutes)} ${y(mark.value)})`}>
          <circle r={4.5} className={`${color.fill} stroke-surface`} strokeWidth={1.5} />
          <text
            y={17}
            textAnchor="middle"
            className="fill-text stroke-surface text-[11px] font-semibold tabular-nums"
            strokeWidth={3}
            paintOrder="stroke"
          >
            {Math.round(mark.value)}
          </text>
        </g>
      )}
    </g>
  )
}
