const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const
const STEP = 1000

/** "8.2 MB" */
export function bytesText(bytes: number): string {
  const exponent = bytes < STEP ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  const value = bytes / STEP ** exponent
  return new Intl.NumberFormat("en", {
    style: "unit",
    unit: UNITS[exponent] ?? "byte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value)
}
