import { rm, statfs } from "node:fs/promises"
import { join } from "node:path"
import { migrate, openDatabase, openPool } from "@restwell/core"
import { type ConnectionConfig, startEmbeddedPostgres } from "@restwell/postgres"
import { databaseUrl, makeFolder } from "@restwell/testing/database"
import { reservePort } from "@restwell/testing/port"
import { quotaOf, startServiceProcess, TEST_SECRET } from "@restwell/testing/service"
import type { Pool } from "pg"
import { type Cohort, type FillOptions, fillPopulation } from "../population/fill-population.ts"
import { type Medians, readMedians } from "./read-medians.ts"

export interface GrowthOptions {
  /** How many people the last stage has. @default 1,000,000 */
  readonly people?: number
  /** Days of history of the people in the last stage who do not read. @default 1 */
  readonly days?: number
  /** How many of these days are written day by day for all people, as polls do. @default 0 */
  readonly freshDays?: number
  /** Reads of each kind, in three rounds. @default 300 */
  readonly reads?: number
  /** Stops it early. Its files are removed all the same. */
  readonly signal?: AbortSignal
  readonly onFilled?: (stage: string, rows: number, seconds: number) => void
}

export interface Stage {
  readonly name: string
  /** Days of history of the people who read. */
  readonly days: number
  readonly medians: readonly Medians[]
}

export interface Growth {
  readonly people: readonly Stage[]
  readonly histories: readonly Stage[]
}

/** Readers have as many days as the longest read. */
const READER_DAYS = 90
const READERS = 1_000
const TEMPLATES = 8
const HISTORIES = [
  { name: "1 month", days: 30 },
  { name: "90 days", days: 90 },
  { name: "1 year", days: 365 },
  { name: "10 years", days: 3_652 },
] as const
/** Numbers that no other person has. */
const FIRST_OF_HISTORIES = 100_000_000

/** Measured: a record with its indexes takes 1.75 kB, and a day has 3.9 of them. All other rows of a person take 2.2 kB. */
const BYTES_PER_DAY = 7_000
const BYTES_PER_PERSON = 2_500
/** The write-ahead log (`LOG_SIZE`) and the temporary files of index builds. */
const BYTES_BESIDE = 7e9
/** The database keeps its log that long between two checkpoints. */
export const LOG_SIZE = "4GB"
/** Disk space that is left free for other programs. */
const FREE_BYTES = 12e9

/** Measures the medians of reads while the number of people grows, and while the history of one person grows. */
export async function growth(options: GrowthOptions = {}): Promise<Growth> {
  const { people = 1_000_000, days = 1, signal } = options
  await using left = new AsyncDisposableStack()
  const dataDir = await makeFolder("growth")
  left.defer(() => rm(dataDir, { recursive: true }))
  await checkSpaceFor(dataDir, { people, days })
  const postgres = await startEmbeddedPostgres({ dataDir, settings: { max_wal_size: LOG_SIZE } })
  left.defer(() => postgres.stop())
  const pool = openPool({ ...postgres.connection, max: 2 }, () => {})
  await migrate(openDatabase(pool))
  // The API alone: without a worker no record changes during a measurement.
  const api = await startServiceProcess({
    role: "api",
    port: left.use(reservePort()).port,
    environment: {
      DATABASE_URL: databaseUrl(postgres.connection),
      RESTWELL_SECRET: TEST_SECRET,
      ...quotaOf(100_000_000),
      LOG_LEVEL: "warn",
    },
    logFile: join(dataDir, "service.log"),
  })
  left.defer(async () => void (await api.stop()))
  left.defer(() => pool.end())

  const ended = Promise.withResolvers<never>()
  signal?.addEventListener("abort", () => ended.reject(signal.reason), { once: true })
  return await Promise.race([grow({ postgres: postgres.connection, pool, url: api.url }, options), ended.promise])
}

interface Grown {
  readonly postgres: ConnectionConfig
  readonly pool: Pool
  readonly url: string
}

async function grow({ postgres, pool, url }: Grown, options: GrowthOptions): Promise<Growth> {
  const { people = 1_000_000, days = 1, freshDays = 0, reads = 300, onFilled } = options
  const measure = async (
    { name, days }: Omit<Stage, "medians">,
    readers: readonly number[],
    fill: Omit<FillOptions, "connection">,
  ): Promise<Stage> => {
    const { rows, seconds } = await fillPopulation({ connection: postgres, templates: TEMPLATES, ...fill })
    await pool.query("checkpoint")
    onFilled?.(name, rows, seconds)
    return { name, days, medians: await readMedians({ url, pool, readers, reads }) }
  }
  const one = { first: 0, people: 1, days: READER_DAYS }
  const many = { first: 1, people: READERS - 1, days: READER_DAYS }
  const picked = pick(READERS, people)
  const others = { first: READERS, people: people - READERS, days }
  const stages = [
    await measure(named("1 person"), [0], { cohorts: [one], templates: 1 }),
    await measure(named(`${READERS} people`), numbersOf([one, many]), { cohorts: [many] }),
    await measure(named(`${people} people`), picked, {
      cohorts: around(picked, others),
      freshDays,
      rebuildIndexes: people * days > REBUILT_FROM,
    }),
  ]
  const histories: Stage[] = []
  for (const [index, history] of HISTORIES.entries()) {
    const cohort = { first: FIRST_OF_HISTORIES + index, people: 1, days: history.days }
    histories.push(await measure(history, [cohort.first], { cohorts: [cohort], templates: 1 }))
  }
  return { people: stages, histories }
}

const named = (name: string) => ({ name, days: READER_DAYS })

/** With fewer rows, updating the indexes with each row is as fast as building them afterwards. */
export const REBUILT_FROM = 3_000_000

/** @throws if the disk has no room for people with this many days */
export async function checkSpaceFor(directory: string, { people, days }: Omit<Cohort, "first">): Promise<void> {
  const stored = people * (BYTES_PER_PERSON + days * BYTES_PER_DAY)
  const needed = stored + Math.min(stored, BYTES_BESIDE)
  const { bavail, bsize } = await statfs(directory)
  const free = bavail * bsize - FREE_BYTES
  if (needed > free)
    throw new Error(`${(needed / 1e9).toFixed(0)} GB are needed and ${(free / 1e9).toFixed(0)} GB are available`)
}

const numbersOf = (cohorts: readonly Cohort[]): number[] =>
  cohorts.flatMap(({ first, people }) => Array.from({ length: people }, (_, index) => first + index))

/** Draws numbers of people after the first readers. */
function pick(count: number, people: number): number[] {
  const picked = new Set<number>()
  while (picked.size < count) picked.add(READERS + Math.floor(Math.random() * (people - READERS)))
  return [...picked].toSorted((one, other) => one - other)
}

/** Splits a cohort around the picked people, who get the history of readers. */
function around(picked: readonly number[], cohort: Cohort): Cohort[] {
  const { first, people, days } = cohort
  const ends = [first - 1, ...picked, first + people]
  return ends.slice(1).flatMap((end, index) => {
    const begin = (ends[index] ?? end) + 1
    const others = { first: begin, people: end - begin, days }
    return end === first + people ? [others] : [others, { first: end, people: 1, days: READER_DAYS }]
  })
}
