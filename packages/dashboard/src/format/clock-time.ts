const DAY_MINUTES = 1440

/** Minutes from a local midnight as a time of the clock: -29 is 23:31 the evening before. */
export function clockTime(minutes: number): string {
  const ofDay = ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
  return `${pad(Math.floor(ofDay / 60))}:${pad(Math.floor(ofDay % 60))}`
}

const pad = (value: number): string => String(value).padStart(2, "0")
