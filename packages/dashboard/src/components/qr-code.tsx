import { generate } from "lean-qr"

/** Light modules around the code. ISO/IEC 18004, 6.3.8 */
const QUIET_ZONE = 4

/** A QR code, dark on light in every theme, because cameras expect that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text)
  const width = code.size + 2 * QUIET_ZONE
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${width} ${width}`}
      className="h-auto w-full max-w-60 rounded-lg border border-line"
      shapeRendering="crispEdges"
    >
      <rect x={-QUIET_ZONE} y={-QUIET_ZONE} width={width} height={width} fill="white" />
      <path d={pathOf(code)} fill="black" />
    </svg>
  )
}

/** A square for each dark module. */
function pathOf({ size, get }: { readonly size: number; get(x: number, y: number): boolean }): string {
  const modules = Array.from({ length: size * size }, (_, index) => [index % size, Math.floor(index / size)] as const)
  return modules.map(([x, y]) => (get(x, y) ? `M${x} ${y}h1v1h-1z` : "")).join("")
}
