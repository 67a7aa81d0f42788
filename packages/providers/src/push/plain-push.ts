// The plain push: rows of any program on a phone, and samples in columns. One row that cannot be used costs no other row.
import { PUSHED_TYPES, PushedRecordSchema, PushedSeriesSchema, type PushedType, SLEEP_STAGES } from "@restwell/client"
import { z } from "zod"
import { PushCollector } from "./push-collector.ts"
import type { PushedRows } from "./pushed-rows.ts"
import { figureOf } from "./text-numbers.ts"
import { pushedInstant } from "./units.ts"

/** The body has no form that is known. The message is one plain sentence. */
export class InvalidPush extends Error {
  override readonly name = "InvalidPush"
}

const BodySchema = z
  .object({ records: z.array(z.unknown()).optional(), series: z.array(z.unknown()).optional() })
  .refine(({ records, series }) => records ?? series)

/** Rows after which others get their turn: a push may have half a million. */
const ROWS_AT_ONCE = 5_000

/** Lets other requests get their turn. */
export type GiveTurn = () => Promise<void>

/** Goes through rows, and gives others their turn. */
export async function eachOf<Row>(rows: readonly Row[], giveTurn: GiveTurn, take: (row: Row) => void): Promise<void> {
  for (const [index, row] of rows.entries()) {
    take(row)
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await giveTurn()
  }
}

/** Returns the rows of a plain push. @throws {InvalidPush} */
export async function readPushedRows(body: unknown, giveTurn: GiveTurn): Promise<PushedRows> {
  const parsed = BodySchema.safeParse(body)
  if (!parsed.success) throw new InvalidPush("the body must have a list records, or a list series")
  const { records = [], series = [] } = parsed.data
  const collector = new PushCollector()
  await eachOf(records, giveTurn, (record) => collector.ignore(addRecord(collector, record)))
  for (const columns of series) await addColumns(collector, columns, giveTurn)
  return collector.rows()
}

const isPushedType = (type: string): type is PushedType => PUSHED_TYPES.some((known) => known === type)
const STAGES: ReadonlySet<string> = new Set(SLEEP_STAGES)

/** @returns why the row is ignored, if it is */
function addRecord(collector: PushCollector, record: unknown): string | undefined {
  const parsed = PushedRecordSchema.safeParse(record)
  if (!parsed.success) return `${fieldOf(parsed.error)} is missing or has the wrong type`
  const { type, start, end, value, unit = null, source, id } = parsed.data
  if (!isPushedType(type)) return `unknown type ${type}`
  const [startsAt, endsAt] = [pushedInstant(start), pushedInstant(end ?? start)]
  if (!startsAt || !endsAt) return `${type}: ${startsAt ? "end" : "start"} is not an instant with an offset`
  const times = {
    ...(id && { id }),
    startMs: startsAt.ms,
    endMs: endsAt.ms,
    ...(startsAt.utcOffsetMinutes !== undefined && { utcOffsetMinutes: startsAt.utcOffsetMinutes }),
    source: source ?? "",
  }
  if (type === "sleep_segment") {
    if (typeof value !== "string" || !STAGES.has(value)) return "sleep_segment: unknown stage"
    return collector.addSpan({ ...times, type, value })
  }
  if (type === "workout") {
    if (typeof value !== "string" || value.trim() === "") return "workout: the value must be the sport"
    return collector.addSpan({ ...times, type, value: value.trim().slice(0, LONGEST_SPORT) })
  }
  const figure = figureOf(value, type)
  return typeof figure === "string"
    ? `${type}: ${figure}`
    : collector.addNumber({ ...times, type, value: figure }, unit)
}

const LONGEST_SPORT = 80

const fieldOf = ({ issues }: z.ZodError): string => String(issues[0]?.path[0] ?? "a row")

async function addColumns(collector: PushCollector, columns: unknown, giveTurn: GiveTurn): Promise<void> {
  const parsed = PushedSeriesSchema.safeParse(columns)
  if (!parsed.success) return collector.ignore(`series: ${fieldOf(parsed.error)} is missing or has the wrong type`)
  const { type, source, unit = null, start, offsets_seconds: offsets, values } = parsed.data
  const count = Math.max(offsets.length, values.length)
  if (!isPushedType(type) || type === "sleep_segment" || type === "workout")
    return collector.ignore(`unknown type ${type} of a series`, count)
  if (offsets.length !== values.length) return collector.ignore(`${type}: columns of different lengths`, count)
  const startsAt = pushedInstant(start)
  if (!startsAt) return collector.ignore(`${type}: start is not an instant with an offset`, count)
  const { ms, utcOffsetMinutes } = startsAt
  const common = { type, source: source ?? "", ...(utcOffsetMinutes !== undefined && { utcOffsetMinutes }) }
  await eachOf([...offsets.entries()], giveTurn, ([index, offset]) => {
    const value = values[index]
    if (value === null || value === undefined) return
    const atMs = ms + Math.round(offset * 1_000)
    collector.ignore(collector.addNumber({ ...common, startMs: atMs, endMs: atMs, value }, unit))
  })
}
