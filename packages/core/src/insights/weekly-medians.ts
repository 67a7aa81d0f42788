import { thursdayOf } from "./day.ts"
import { medianOf } from "./moments.ts"
import { type Series, valuesOf } from "./series.ts"

const FEWEST_VALUES = 3

/** The median of each ISO week with at least 3 values, on its Thursday. */
export const weeklyMedians = (series: Series): Series =>
  [...Map.groupBy(series, ({ day }) => thursdayOf(day))]
    .filter(([, week]) => week.length >= FEWEST_VALUES)
    .map(([day, week]) => ({ day, value: medianOf(valuesOf(week)) }))
