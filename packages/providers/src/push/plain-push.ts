// The plain push: rows of any program on a phone, and samples in columns. One row that cannot be used costs no other row.
import { PUSHED_TYPES, PushedRecordSchema, PushedSeriesSchema, type PushedType, SLEEP_STAGES } from "@restwell/client"
import type { z } from "zod"
import { figureOf } from "../normalize/text-numbers.ts"
import { JsonBody, type JsonRange } from "./json-body.ts"
import { PushCollector } from "./push-collector.ts"
import { pushedInstant } from "./pushed-instant.ts"
import type { PushedTable } from "./pushed-table.ts"

/** The body has no form that is known. The message is one plain sentence. */
export class InvalidPush extends Error {
  override readonly name = "InvalidPush"
}

/** Lets others get their turn, and may refuse to go on. */
export type GiveTurn = () => Promise<void>

/** What reading a push needs beside its bytes. */
export interface PushOptions {
  readonly giveTurn: GiveTurn
  /** Epoch milliseconds. Rows of later times are ignored. */
  readonly latestMs: number
  /** What the person chose as time grouping, where the program says it. */
  readonly aggregation?: string | null
}

/** A push that is read. */
export interface PushReading extends PushOptions {
  readonly body: JsonBody
  readonly collector: PushCollector
}

/** Goes through the elements of a list, and lets others get their turn. @throws {PushTooLarge} */
export async function eachOf(
  { body, collector, giveTurn }: PushReading,
  list: JsonRange | undefined,
  take: (element: unknown) => void,
): Promise<void> {
  if (list === undefined) return
  collector.expect(body.countOf(list))
  for (const batch of body.batchesOf(list)) {
    for (const element of batch) take(element)
    await giveTurn()
  }
}

/** Returns the rows of a plain push. @throws {InvalidJson} @throws {InvalidPush} @throws {PushTooLarge} */
export async function readPushedRows(bytes: Buffer, options: PushOptions): Promise<PushedTable> {
  const body = new JsonBody(bytes)
  const members = body.membersOf(body.root())
  const [records, series] = [members?.get("records"), members?.get("series")]
  if (!(records ?? series) || [records, series].some((list) => list && !body.isList(list)))
    throw new InvalidPush("the body must have a list records, or a list series")
  const collector = new PushCollector(options)
  const reading = { body, collector, ...options }
  await eachOf(reading, records, (record) => collector.ignore(addRecord(collector, record)))
  for (const columns of series ? body.elementsOf(series) : []) await addColumns(reading, columns)
  return collector.table
}

const isPushedType = (type: string): type is PushedType => PUSHED_TYPES.some((known) => known === type)
const STAGES: ReadonlySet<string> = new Set(SLEEP_STAGES)

/** @returns why the row is ignored, if it is */
function addRecord(collector: PushCollector, record: unknown): string | undefined {
  const parsed = PushedRecordSchema.safeParse(record)
  if (!parsed.success) return faultOfRow(parsed.error)
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

/** What is wrong with a row that has not the form of one. */
function faultOfRow({ issues: [issue] }: z.ZodError): string {
  const field = String(issue?.path[0] ?? "a row")
  return issue?.code === "too_big"
    ? `${field} is longer than ${issue.maximum} characters`
    : `${field} is missing or has the wrong type`
}

const HeadSchema = PushedSeriesSchema.omit({ offsets_seconds: true, values: true })
const COLUMNS = ["offsets_seconds", "values"] as const

async function addColumns(reading: PushReading, columns: JsonRange): Promise<void> {
  const { body, collector } = reading
  const members = body.membersOf(columns) ?? new Map<string, JsonRange>()
  const [offsets, values] = COLUMNS.map((name) => members.get(name))
  const head = [...members].filter(([name]) => Object.hasOwn(HeadSchema.shape, name))
  const parsed = HeadSchema.safeParse(Object.fromEntries(head.map(([name, range]) => [name, body.valueOf(range)])))
  if (!parsed.success) return collector.ignore(`series: ${faultOfRow(parsed.error)}`)
  if (!offsets || !values || !body.isList(offsets) || !body.isList(values))
    return collector.ignore(`series: ${COLUMNS.join(" or ")} is missing or has the wrong type`)
  const { type, source, unit = null, start } = parsed.data
  const [offsetCount, count] = [body.countOf(offsets), body.countOf(values)]
  if (!isPushedType(type) || type === "sleep_segment" || type === "workout")
    return collector.ignore(`unknown type ${type} of a series`, count)
  if (offsetCount !== count) return collector.ignore(`${type}: columns of different lengths`, count)
  const startsAt = pushedInstant(start)
  if (!startsAt) return collector.ignore(`${type}: start is not an instant with an offset`, count)
  const { ms, utcOffsetMinutes } = startsAt
  const common = { type, source: source ?? "", ...(utcOffsetMinutes !== undefined && { utcOffsetMinutes }) }
  const offsetBatches = flattened(body.batchesOf(offsets))
  await eachOf(reading, values, (value) => {
    const offset = offsetBatches.next().value
    if (value === null) return
    if (typeof offset !== "number" || typeof value !== "number")
      return collector.ignore(`series: ${COLUMNS.join(" or ")} is missing or has the wrong type`)
    const atMs = ms + Math.round(offset * 1_000)
    collector.ignore(collector.addNumber({ ...common, startMs: atMs, endMs: atMs, value }, unit))
  })
}

function* flattened(batches: Iterable<readonly unknown[]>): Generator<unknown, undefined> {
  for (const batch of batches) yield* batch
  return undefined
}
