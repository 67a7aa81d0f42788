import { milliseconds, openTable, ratio } from "../measuring/table.ts"
import type { Growth, Stage } from "./growth.ts"
import type { Medians } from "./read-medians.ts"

/** The worst ratio of the largest stage's median to the base. */
export interface Grown {
  readonly people: number
  readonly history: number
}

/** The base is 1,000 people, or 90 days of history, the shortest history that has all days of a read. */
export const printGrowth = ({ people, histories }: Growth): Grown => ({
  people: printStages("Growth with people: median of a counted read", people, 1),
  history: printStages(
    "Growth with history: median of a counted read of one person",
    histories.filter(({ days }) => days >= LONGEST_READ_DAYS),
    0,
  ),
})

const LONGEST_READ_DAYS = 90

function printStages(title: string, stages: readonly Stage[], base: number): number {
  const row = openTable(title, ["read", "connections", ...stages.flatMap(({ name }) => [`${name} ms`, "times"])])
  let worst = 0
  for (const [index, { days, connections }] of (stages[0]?.medians ?? []).entries())
    for (const temperature of ["cold", "hot"] as const) {
      const values = stages.map(({ medians }) => medianOf(medians[index], temperature))
      const first = values[base]
      const times = values.map((value) => (value === undefined || first === undefined ? Number.NaN : value / first))
      const cells = values.flatMap((value, stage) =>
        value === undefined ? ["-", "-"] : [milliseconds(value), ratio(times[stage] ?? Number.NaN)],
      )
      row([`${days} nights, ${temperature}`, connections, ...cells])
      worst = Math.max(worst, times.at(-1) || 0)
    }
  return worst
}

const medianOf = (medians: Medians | undefined, temperature: "cold" | "hot"): number | undefined =>
  temperature === "cold" ? medians?.coldMs : medians?.hotMs
