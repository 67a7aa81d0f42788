import { openPool } from "@restwell/core"
import type { PoolConfig } from "pg"
import { type Copied, copyRows } from "./copy-rows.ts"
import { withoutIndexes } from "./indexes.ts"
import { PopulationMember } from "./member.ts"
import { type Stamp, stamped } from "./stamp.ts"
import { makeTemplates, PERSON_TABLES, type Template } from "./templates.ts"

/** People with the same length of history. */
export interface Cohort {
  /** The number of the first person. */
  readonly first: number
  readonly people: number
  /** Days of history. */
  readonly days: number
}

export interface FillOptions {
  /** A migrated database, as a superuser, who may skip triggers. */
  readonly connection: PoolConfig
  readonly cohorts: readonly Cohort[]
  /** How many of the newest days are written day by day for all people, as polls do. Older days are written person by person. @default 0 */
  readonly freshDays?: number
  /** How many different histories there are. @default 32 */
  readonly templates?: number
  /** Parallel writers. @default 2 */
  readonly writers?: number
  /** Builds the indexes of records after the histories are written, which is faster for many millions. @default false */
  readonly rebuildIndexes?: boolean
  /** Called after each step. */
  readonly onProgress?: (step: string, filled: Filled) => void
}

export interface Filled {
  readonly rows: number
  /** Size of the text that was sent. */
  readonly bytes: number
  readonly seconds: number
}

/** Fills a database with people, their keys, connections and records. Ids and keys are derived from the numbers of the people. */
export async function fillPopulation(options: FillOptions): Promise<Filled> {
  const { cohorts, freshDays = 0, templates: count = 32, writers = 2, rebuildIndexes = false } = options
  const pool = openPool({ ...options.connection, max: writers + 1 }, () => {})
  const startedAt = performance.now()
  const copied: Copied = { rows: 0, bytes: 0 }
  const filled = (): Filled => ({ ...copied, seconds: (performance.now() - startedAt) / 1000 })
  const step = async (name: string, run: () => Promise<void>): Promise<void> => {
    await run()
    options.onProgress?.(name, filled())
  }
  try {
    const longest = Math.max(...cohorts.map(({ days }) => days))
    const templates = await makeTemplates(pool, { count, days: longest + 1 })
    const templateOf = (number: number): Template => {
      const template = templates[number % templates.length]
      if (!template) throw new RangeError("a population needs a template")
      return template
    }
    const write = async (table: string, stampsOf: StampsOf): Promise<void> => {
      const parts = split(cohorts, writers).map((part) => linesOf(part, templateOf, stampsOf))
      await Promise.all(parts.map((lines) => copyRows(pool, table, { lines, copied })))
    }
    const writeHistories = () =>
      write("record", (template, days) => datesOf(template, { days, from: days, to: freshDays }))
    options.onProgress?.("templates", filled())
    for (const table of PERSON_TABLES) await step(table, () => write(table, ({ rows }) => rows.get(table) ?? []))
    await step("histories", () => (rebuildIndexes ? withoutIndexes(pool, "record", writeHistories) : writeHistories()))
    for (let from = freshDays; from > 0; from -= 1)
      await step(`date ${from} from the end`, () =>
        write("record", (template, days) => datesOf(template, { days, from, to: from - 1 })),
      )
    await step("vacuum (analyze)", async () => void (await pool.query("vacuum (analyze)")))
    return filled()
  } finally {
    await pool.end()
  }
}

type StampsOf = (template: Template, days: number) => readonly Stamp[]

/** The records of a template's days, counted from its end: of the newest `days`, those between `from` and `to`. */
const datesOf = ({ days: all }: Template, { days, from, to }: { days: number; from: number; to: number }) =>
  all.slice(Math.max(0, all.length - Math.min(days, from)), Math.max(0, all.length - to)).flat()

function* linesOf(
  cohorts: readonly Cohort[],
  templateOf: (number: number) => Template,
  stampsOf: StampsOf,
): Iterable<string> {
  for (const { first, people, days } of cohorts)
    for (let number = first; number < first + people; number += 1) {
      const member = new PopulationMember(number)
      for (const stamp of stampsOf(templateOf(number), days)) yield stamped(stamp, member)
    }
}

/** Splits each cohort into equal parts, one for each writer. */
const split = (cohorts: readonly Cohort[], writers: number): Cohort[][] =>
  Array.from({ length: writers }, (_, writer) =>
    cohorts.map(({ first, people, days }) => {
      const [from, to] = [Math.floor((people * writer) / writers), Math.floor((people * (writer + 1)) / writers)]
      return { first: first + from, people: to - from, days }
    }),
  )
