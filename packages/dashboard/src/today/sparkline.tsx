const WIDTH = 120
const HEIGHT = 32
const PAD = 3

/** Where a day is, percent of the width. */
export const positionOf = (index: number, count: number): number =>
  ((PAD + (index / Math.max(count - 1, 1)) * (WIDTH - 2 * PAD)) / WIDTH) * 100

/** A small line of the last days. Days without a value are gaps. */
export function Sparkline({ values, color }: { values: readonly (number | null)[]; color: string }) {
  const known = values.filter((value) => value !== null)
  const low = Math.min(...known)
  const high = Math.max(...known)
  const x = (index: number) => PAD + (index / Math.max(values.length - 1, 1)) * (WIDTH - 2 * PAD)
  const y = (value: number) => HEIGHT - PAD - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * PAD)
  const last = values.at(-1) ?? null
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className={`mt-auto h-8 w-full pt-1 ${color}`}
    >
      <path
        d={pathOf(values, x, y)}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
      {last !== null && (
        <path
          d={`M${x(values.length - 1)} ${y(last)}h0`}
          stroke="currentColor"
          strokeWidth={5}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

function pathOf(
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let path = ""
  let isDrawing = false
  for (const [index, value] of values.entries()) {
    if (value !== null) path += `${isDrawing ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    isDrawing = value !== null
  }
  return path
}
