const DAY_MINUTES = 1440

/** Minutes after a local midnight as a clock time: -29 is 23:31 of the evening before. */
export function clockTime(minutes: number): string {
  const minuteOfDay = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  return `${pad(Math.floor(minuteOfDay / 60))}:${pad(Math.floor(minuteOfDay % 60))}`
}

const pad = (value: number): string => String(value).padStart(2, "0")
