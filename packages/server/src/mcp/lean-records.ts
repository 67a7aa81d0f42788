import type {
  CycleRecord,
  JournalRecord,
  MissingRecords,
  RecoveryRecord,
  SleepRecord,
  Source,
  WorkoutRecord,
} from "@restwell/client"
import { clockText } from "@restwell/client/figures"
import { z } from "zod"
import { fieldsElsewhere, type Sourced } from "./fields-elsewhere.ts"
import { missingRuns } from "./missing-runs.ts"
import { type Pending, PendingSchema } from "./tool-schemas.ts"

/*
 * The structured form of lists. An assistant keeps it in its conversation, so a record has each fact once: local times without UTC beside
 * them, the source where there are several, and nothing that is unknown or as usual. Values and their names are those of REST.
 */

type Fields = Readonly<Record<string, unknown>>

/** The fields that every type of record names in its own way, in their place. */
export const LEAN = {
  sleep: ({ date, start_local, end_local, is_nap, ...rest }: Omit<SleepRecord, "id">): Fields => ({
    date,
    bedtime: clockText(start_local, "24h"),
    wake_time: clockText(end_local, "24h"),
    is_nap: is_nap || null,
    ...rest,
  }),
  recovery: ({ cycle_id: _, ...rest }: RecoveryRecord): Fields => rest,
  workout: ({ date, start_local, end_local: _, zones, ...rest }: Omit<WorkoutRecord, "id">): Fields => ({
    date,
    start_time: clockText(start_local, "24h"),
    ...rest,
    zone_hours: zones && Object.values(zones),
  }),
  cycle: ({ start_local: _start, end_local, ...rest }: Omit<CycleRecord, "id">): Fields => ({
    ...rest,
    is_open: end_local === null || null,
  }),
  journal: ({ question: _, ...rest }: JournalRecord): Fields => rest,
} as const

/** What repeats UTC, or says nothing in a list that leaves out what is not chosen. */
const REPEATED = ["start", "end", "others"]
/** What would make 90 nights too long: get_today has the parts of scores, and trends the counts. */
const ELSEWHERE = ["contributors", "times_awake", "latency_minutes"]
const LEFT_OUT = new Set([...REPEATED, ...ELSEWHERE])
/** Which source a record has, and why. Both say nothing about a person with one source. */
const OF_SEVERAL = new Set(["source", "chosen_because"])

export const LeanListSchema = z.object({
  records: z.array(z.record(z.string(), z.unknown())),
  count: z.int(),
  empty_reason: z.string().nullable(),
  /** Where the records are, if they are too many for an answer. */
  note: z.string().optional(),
  /** What was asked about each factor of a journal. */
  questions: z.record(z.string(), z.string()).optional(),
  /** For one source, in place of `sources`. */
  source: z.record(z.string(), z.unknown()).optional(),
  sources: z.array(z.record(z.string(), z.unknown())).optional(),
  /** By source, fields that records here lack and the source knows. */
  elsewhere: z.record(z.string(), z.array(z.string())).optional(),
  /** Runs of dates that a source lacks, each with the reason. */
  missing: z.array(z.string()).optional(),
  pending: PendingSchema.optional(),
  left_out: z.int().optional(),
})

interface List<Body> {
  readonly records: readonly Body[]
  readonly count: number
  readonly empty_reason: string | null
  readonly empty_note?: string | undefined
  readonly missing: readonly MissingRecords[]
  readonly source: Source
  readonly sources: readonly Source[]
  readonly pending?: Pending | undefined
  readonly left_out?: number | undefined
}

/** The structured form of a list. */
export function leanList<Body extends Sourced>(
  { records, missing, source, sources, empty_note: _, ...rest }: List<Body>,
  leanOf: (record: Body) => Fields,
): z.infer<typeof LeanListSchema> {
  const hasSeveral = sources.length > 1
  const isKept = (name: string): boolean => !LEFT_OUT.has(name) && (hasSeveral || !OF_SEVERAL.has(name))
  const elsewhere = fieldsElsewhere(records)
  const questions = records.flatMap((record) =>
    "question" in record && "factor" in record ? [[String(record.factor), String(record.question)]] : [],
  )
  return {
    records: records.map((record) => known(leanOf(record), isKept)),
    ...rest,
    ...leanMissing(missing),
    ...(Object.keys(elsewhere).length > 0 && { elsewhere }),
    ...(questions.length > 0 && { questions: Object.fromEntries(questions) }),
    ...(hasSeveral ? { sources: [...sources] } : { source }),
  }
}

/** What is missing, in as few sentences as it has runs of dates. Nothing where nothing is. */
export function leanMissing(missing: readonly MissingRecords[]): { readonly missing?: string[] } {
  const runs = missingRuns(missing)
  return runs.length > 0 ? { missing: runs } : {}
}

/** Without what is unknown. An answer of null is one: it was asked, and the person did not say. */
function known(fields: Fields, isKept: (name: string) => boolean): Record<string, unknown> {
  const shown = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (!isKept(name) || (value === null && name !== "answer") || value === undefined) return []
    if (name === "score_state" && value === "scored") return []
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [[name, value]]
    const inner = known({ ...value }, isKept)
    return Object.keys(inner).length > 0 ? [[name, inner]] : []
  })
  return Object.fromEntries(shown)
}
