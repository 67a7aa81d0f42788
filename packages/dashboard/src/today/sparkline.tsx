import type { Figure } from "../trends/figures.ts"

const WIDTH = 120
const HEIGHT = 32
const PAD = 3

/** Where a day is, percent of the width. */
export const positionOf = (index: number, count: number): number =>
  ((PAD + (index / Math.max(count - 1, 1)) * (WIDTH - 2 * PAD)) / WIDTH) * 100

/** A small line of the last days. Days without a value are gaps, and the line breaks where the source changes. */
export function Sparkline({ figures, color }: { figures: readonly Figure[]; color: string }) {
  const known = figures.flatMap(({ value }) => (value === null ? [] : [value]))
  const low = Math.min(...known)
  const high = Math.max(...known)
  const x = (index: number) => PAD + (index / Math.max(figures.length - 1, 1)) * (WIDTH - 2 * PAD)
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD)
  const last = figures.at(-1)?.value ?? null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`mt-auto h-8 w-full pt-1 ${color}`}
    >
      <path
        d={pathOf(figures, x, y)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last !== null && (
        <path
          d={`M${x(figures.length - 1)} ${y(last)}h0`}
          stroke="currentColor"
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

function pathOf(figures: readonly Figure[], x: (index: number) => number, y: (value: number) => number): string {
  let path = ""
  let last: string | null | undefined
  for (const [index, { value, source }] of figures.entries()) {
    if (value !== null) path += `${source === last ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    last = value === null ? undefined : source
  }
  return path
}
