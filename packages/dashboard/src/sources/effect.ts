// What it would change if one device answered wherever it recorded a day.
import type { SourceDifference } from "@restwell/client"
import { figure, metricNamed, minutesText, nameOf, plural, withUnit } from "@restwell/client/figures"
import { fullDate } from "../format/date.ts"

const [RATE, HRV] = [metricNamed("resting_heart_rate"), metricNamed("hrv")]

/** Sentences on the days that would have other figures, with the newest of them that both devices have a figure of. @param differences the newest first */
export function effectOf(source: string, differences: readonly SourceDifference[]): string {
  const changed = differences.filter(({ values }) => values.some((value) => value.source === source && !value.chosen))
  if (changed.length === 0) {
    if (differences.length === 0) return "Your devices agree so far, so no figure changes."
    // A scale, for one, has no nights: nothing of it is used on these days.
    const isInOne = differences.some(({ values }) => values.some((value) => value.source === source))
    return isInOne
      ? "It is used now, so no figure changes."
      : "It recorded none of the days on which your devices differ, so no figure changes."
  }
  const [days, all] = [daysOf(changed), daysOf(differences)]
  const count = `Gives other figures for ${figure(days)} of ${plural(all, "day")} on which your devices differ.`
  for (const { date, values } of changed) {
    const own = values.find((value) => value.source === source)
    const used = values.find(({ chosen }) => chosen)
    const figures = own && used ? changesBetween(used, own) : []
    if (figures.length > 0) return `${count} ${fullDate(date)}: ${figures.join(", ")}.`
  }
  return count
}

const daysOf = (differences: readonly SourceDifference[]): number => new Set(differences.map(({ date }) => date)).size

type Value = SourceDifference["values"][number]

/** "7 h 20 min asleep instead of 6 h 50 min" */
function changesBetween(used: Value, own: Value): string[] {
  const change = (from: number | null, to: number | null, text: (value: number) => string, of: string): string[] =>
    from === null || to === null || text(from) === text(to) ? [] : [`${text(to)} ${of} instead of ${text(from)}`]
  return [
    ...change(used.asleep_minutes, own.asleep_minutes, minutesText, "asleep"),
    ...change(
      used.resting_heart_rate,
      own.resting_heart_rate,
      (rate) => withUnit(figure(rate), RATE.unit),
      nameOf(RATE),
    ),
    ...change(used.hrv, own.hrv, (hrv) => withUnit(figure(hrv), HRV.unit), `of ${nameOf(HRV)}`),
  ]
}
