interface RangeMeterProps {
  readonly value: number
  readonly band: { readonly low: number; readonly high: number }
}

/** A value beside its usual range, which is the middle third. There is one more range to each side. */
export function RangeMeter({ value, band }: RangeMeterProps) {
  const width = band.high - band.low || 1
  const position = Math.min(Math.max((value - band.low + width) / (3 * width), 0.01), 0.99)
  return (
    <div aria-hidden="true" className="relative mt-1.5 h-2 rounded-full bg-raised">
      <div className="absolute inset-y-0 left-1/3 w-1/3 rounded-full bg-band" />
      <div
        className="absolute -inset-y-1 w-1 -translate-x-1/2 rounded-full bg-text"
        style={{ left: `${position * 100}%` }}
      />
    </div>
  )
}
