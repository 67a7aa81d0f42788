/* Dates as numbers of days since 1970-01-01, and the groups that they belong to. */

const EPOCH = Temporal.PlainDate.from("1970-01-01")
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

export type Grouping = "week" | "month" | "weekday" | "weekend"

export const dayOf = (date: string): number => EPOCH.until(Temporal.PlainDate.from(date), { largestUnit: "days" }).days
export const dateOf = (day: number): string => EPOCH.add({ days: day }).toString()

export function groupOf(day: number, by: Grouping): string {
  const date = EPOCH.add({ days: day })
  if (by === "month") return date.toString().slice(0, 7)
  if (by === "weekday") return WEEKDAYS[date.dayOfWeek - 1] ?? ""
  if (by === "weekend") return date.dayOfWeek >= 6 ? "weekend" : "working_day"
  return `${date.yearOfWeek}-W${String(date.weekOfYear).padStart(2, "0")}`
}

/** Weeks and months oldest first, weekdays from Monday, working days before weekends. */
export function inOrder(groups: readonly string[], by: Grouping): string[] {
  if (by === "weekend") return [...groups].sort().toReversed()
  return by === "weekday" ? WEEKDAYS.filter((name) => groups.includes(name)) : [...groups].sort()
}
