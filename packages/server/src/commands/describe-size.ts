const UNITS = ["bytes", "kB", "MB", "GB", "TB"]

/** A number of bytes for people, like 12.3 MB. */
export function describeSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${UNITS[power]}`
}
