import type { Grouping } from "@restwell/client"
import { isoWeekOf, monthOf, WEEKDAYS, weekdayOf } from "./day.ts"
import { centreOf } from "./describe.ts"
import type { ValueKind } from "./line.ts"
import { type Series, valuesOf } from "./series.ts"

/** The values of a week, a month or a weekday. */
export interface Group {
  /** 2026-W47, 2026-11 or monday. */
  readonly group: string
  readonly n: number
  readonly mean: number
  readonly sd: number | null
}

const NAMES: Readonly<Record<Grouping, (day: number) => string>> = {
  week: isoWeekOf,
  month: monthOf,
  weekday: weekdayOf,
}

/** The groups that have values: weeks and months oldest first, weekdays from Monday on. */
export function groupsOf(kind: ValueKind, series: Series, by: Grouping): Group[] {
  const groups = Map.groupBy(series, ({ day }) => NAMES[by](day))
  const names = by === "weekday" ? WEEKDAYS.filter((name) => groups.has(name)) : [...groups.keys()]
  return names.map((group) => {
    const values = valuesOf(groups.get(group) ?? [])
    return { group, n: values.length, ...centreOf(kind, values) }
  })
}
