// Apple Health's export: a zip file with one large XML file, whose name is in the language of the phone.

import { SUM_TYPES } from "@restwell/client"
import { type ArchiveItem, leftOutReason, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import type { LookAt, TextFile } from "../archive/text.ts"
import { mayBeOpened } from "../archive/zip-entries.ts"
import { isOfStrava } from "../contract/records.ts"
import { countNamed } from "../normalize/count-named.ts"
import { deviceNameOf } from "../normalize/device-name.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { figureFault } from "../normalize/plausible.ts"
import { toStorableJson } from "../normalize/storable-text.ts"
import { conversionOf } from "../normalize/units.ts"
import { CollectedRows } from "./collected-rows.ts"
import { type ElementVisitor, type LineOf, readElements } from "./elements.ts"
import { SERIES_OF_ROWS } from "./rows.ts"
import {
  BODY_MASS,
  HEIGHT,
  instantOf,
  MetadataSchema,
  modelOf,
  numberOf,
  QUANTITIES,
  type Quantity,
  RecordSchema,
  SLEEP,
  type Statistics,
  StatisticsSchema,
  sportOf,
  stageOf,
  type WorkoutAttributes,
  WorkoutSchema,
  workoutFigures,
} from "./wire.ts"

export interface AppleOptions {
  /** Decides which day is not over. */
  readonly now: Date
  /** Of the person: an IANA name. */
  readonly timeZone: string
}

/** The beginning says what a file is. The DTD is before the root. */
const HEAD_BYTES = 65_536
/** An export has two XML files. */
const MOST_LOOKED_AT = 20

/** @returns the file of an upload that is Apple Health's export. A lone file may have any name. Undefined without one */
export async function appleFileAmong(entries: readonly TextFile[], lookAt: LookAt): Promise<TextFile | undefined> {
  const depth = ({ name }: TextFile) => name.split("/").length
  const visible = entries.filter(({ name }) => mayBeOpened(name))
  const candidates = visible.filter(({ name }) => visible.length === 1 || /\.xml$/i.test(name))
  for (const file of candidates.toSorted((one, other) => depth(one) - depth(other)).slice(0, MOST_LOOKED_AT)) {
    const head = await lookAt(headOf(file))
    if (head?.includes("<HealthData") && !head.includes("<ClinicalDocument")) return file
  }
  return undefined
}

/** UTF-16 has a zero in each letter. */
async function headOf({ open }: TextFile): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of await open()) {
    pieces.push(piece)
    size += piece.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(pieces).subarray(0, HEAD_BYTES).toString("latin1").replaceAll("\0", "")
}

/** Pieces after which it is shown that reading goes on. */
const QUIET_PIECES = 64

/** Streams what the export contains. Records come last, because a night is made of rows of several devices. @throws {UnreadableArchive} */
export async function* readAppleArchive(file: TextFile, options: AppleOptions): AsyncGenerator<ArchiveItem, void> {
  const name = file.name.slice(file.name.lastIndexOf("/") + 1)
  const reader = new AppleReader(name, options)
  let pieces = 0
  yield { type: "note", note: `${name} was read as Apple Health's export` }
  for await (const _ of readElements(name, await file.open(), reader)) {
    yield* reader.take()
    pieces += 1
    if (pieces % QUIET_PIECES === 0) yield { type: "reading" }
  }
  yield* reader.rest()
}

const EXPORT_DATE = "ExportDate"
const MOST_WORKOUTS = 100_000
/** Reasons that are counted one by one. */
const MOST_REASONS = 90

class AppleReader implements ElementVisitor {
  readonly #fileName: string
  readonly #options: AppleOptions
  readonly #sets = new SampleSets()
  /** By their spelling in the file. */
  readonly #names = new Map<string, { readonly name: string; readonly model: string }>()
  /** By reason: how many rows, and the line of the first. */
  readonly #faults = new Map<string, { count: number; readonly line: number }>()
  /** By reason: how many fields. */
  readonly #leftOut = new Map<string, number>()
  readonly #body = new Map<string, { readonly ms: number; readonly value: number }>()
  #rows: CollectedRows | undefined
  #exportedMs = Number.NaN
  #hasZone = false
  #records = 0
  #workouts = 0
  /** By type, in the order of the file. */
  readonly #unread = new Map<string, number>()
  #startMs = Number.NaN
  #workout: OpenWorkout | undefined

  constructor(fileName: string, options: AppleOptions) {
    this.#fileName = fileName
    this.#options = options
  }

  open(name: string, attributes: Readonly<Record<string, string>>, parents: readonly string[], line: LineOf): void {
    if (name === "Record") this.#ignore(this.#addRecord(attributes), line)
    else if (name === "Workout") this.#ignore(this.#openWorkout(attributes), line)
    else if (name === "WorkoutStatistics" && parents.at(-1) === "Workout") this.#addStatistics(attributes)
    else if (name === "MetadataEntry" && attributes["key"] === "HKTimeZone") this.#addZone(attributes)
    else if (parents.length === 1 && !OWN_ELEMENTS.has(name)) this.#countUnread(name)
    else if (name === EXPORT_DATE) this.#exportedMs = instantOf(attributes["value"] ?? "")
  }

  close(name: string, line: LineOf): void {
    if (name === "Workout" && this.#workout) this.#ignore(this.#closeWorkout(this.#workout), line)
  }

  /** Samples of days that are complete. */
  *take(): Generator<ArchiveItem, void> {
    for (const set of this.#sets.take()) yield { type: "series", set, place: set.type }
  }

  /** What is left at the end of the file. */
  *rest(): Generator<ArchiveItem, void> {
    this.#sets.takeAll()
    yield* this.take()
    for (const set of this.#collected.samples()) yield { type: "series", set, place: set.type }
    for (const archived of this.#collected.records()) yield* recordItems(archived, `the row of ${archived.date}`)
    yield* this.#profile()
    for (const [reason, { count, line }] of this.#faults)
      yield { type: "ignored", reason: `${this.#fileName}, ${count > 1 ? "from " : ""}line ${line}: ${reason}`, count }
    for (const [reason, count] of this.#leftOut)
      for (let number = 0; number < count; number += 1) yield { type: "left_out", reason }
    yield* this.#notes()
  }

  /** The day of the export is not over. */
  get #collected(): CollectedRows {
    const { now, timeZone } = this.#options
    const isPast = this.#exportedMs < now.getTime()
    this.#rows ??= new CollectedRows({
      timeZone,
      now: isPast ? new Date(this.#exportedMs) : now,
    })
    return this.#rows
  }

  #addRecord(attributes: Readonly<Record<string, string>>): string | undefined {
    this.#records += 1
    this.#startMs = Number.NaN
    const type = attributes["type"] ?? ""
    const quantity = QUANTITIES.get(type)
    if (!quantity && type !== SLEEP) {
      this.#countUnread(nameOfType(type))
      return undefined
    }
    const name = nameOfType(type)
    const parsed = RecordSchema.safeParse(attributes)
    if (!parsed.success) return `${name}: without ${parsed.error.issues[0]?.path.join(".")}`
    const { startDate, endDate, unit, value, sourceName, device } = parsed.data
    if (!value?.trim()) return `${name}: without value`
    const [startMs, endMs] = [instantOf(startDate), instantOf(endDate)]
    if (Number.isNaN(startMs) || Number.isNaN(endMs)) return `${name}: a date that cannot be read`
    const convert = quantity && conversionOf(quantity.measure, unit ?? "")
    if (quantity && !convert) return `${name}: the unit ${(unit ?? "").slice(0, 40)} is not known`
    const amount = quantity ? convert?.(numberOf(value, quantity.measure)) : stageOf(value)
    if (amount === undefined || !Number.isFinite(amount)) return `${name}: a value that is not known`
    this.#startMs = startMs
    const fault = this.#addValue({ type, quantity, startMs, endMs, amount, ...this.#deviceOf(sourceName, device) })
    return fault && `${name}: ${fault}`
  }

  #addValue({ type, quantity, startMs, endMs, amount, name, model }: Value): string | undefined {
    const row = quantity ? quantity.row : "sleep"
    const fault = row && this.#collected.add({ type: row, device: name, startMs, endMs, value: amount }, model)
    if (fault !== undefined) return fault
    const bodyField = BODY_FIELDS.get(type)
    const bodyFault = bodyField && figureFault("profile", bodyField, { value: amount })
    if (bodyField && bodyFault === undefined && !isOfStrava(name)) this.#addBody(type, startMs, amount)
    // What is a sample too is counted with the samples.
    if (!quantity?.series && bodyFault !== undefined) return bodyFault
    // Counts are given on once all zones are known, by which they belong to dates.
    if (!quantity?.series || SUM_TYPES.includes(quantity.series)) return undefined
    const method = row && SERIES_OF_ROWS[row]?.method
    const key = { type: quantity.series, device: name, ...known({ method }) }
    this.#sets.add(key, { atMs: startMs, value: amount, ...(endMs > startMs && { durationMs: endMs - startMs }) })
    return undefined
  }

  #deviceOf(sourceName: string, device: string | undefined): { readonly name: string; readonly model: string } {
    const found = this.#names.get(sourceName)
    if (found && (found.model !== "" || device === undefined)) return found
    const named = { name: found?.name ?? (deviceNameOf(sourceName) || "Apple Health"), model: modelOf(device) }
    if (found || this.#names.size < MOST_NAMES) this.#names.set(sourceName, named)
    return named
  }

  #addBody(type: string, ms: number, value: number): void {
    const other = this.#body.get(type)
    if (!other || ms > other.ms || (ms === other.ms && value > other.value)) this.#body.set(type, { ms, value })
  }

  #openWorkout(attributes: Readonly<Record<string, string>>): string | undefined {
    const parsed = WorkoutSchema.safeParse(attributes)
    this.#startMs = Number.NaN
    this.#workout = undefined
    if (!parsed.success) return `Workout: without ${parsed.error.issues[0]?.path.join(".")}`
    this.#startMs = instantOf(parsed.data.startDate)
    this.#workout = { attributes: parsed.data, statistics: [] }
    return undefined
  }

  #addStatistics(attributes: Readonly<Record<string, string>>): void {
    const parsed = StatisticsSchema.safeParse(attributes)
    if (parsed.success && this.#workout && this.#workout.statistics.length < MOST_STATISTICS)
      this.#workout.statistics.push(parsed.data)
  }

  #closeWorkout({ attributes, statistics }: OpenWorkout): string | undefined {
    this.#workout = undefined
    this.#workouts += 1
    if (this.#workouts > MOST_WORKOUTS)
      throw new UnreadableArchive(`the export has more than ${MOST_WORKOUTS} workouts`)
    const { name, model } = this.#deviceOf(attributes.sourceName, attributes.device)
    const { figures, leftOut } = workoutFigures(attributes, statistics)
    for (const { field, reason } of leftOut) this.#leaveOut(field, reason)
    const [startMs, endMs] = [instantOf(attributes.startDate), instantOf(attributes.endDate)]
    if (Number.isNaN(startMs) || Number.isNaN(endMs)) return "Workout: a date that cannot be read"
    const raw = toStorableJson(JSON.parse(JSON.stringify({ ...attributes, statistics })))
    const sport = sportOf(attributes.workoutActivityType)
    const fault = this.#collected.addWorkout({ device: name, startMs, endMs, sport, ...figures, raw }, model)
    return fault && `Workout: ${fault}`
  }

  #addZone(attributes: Readonly<Record<string, string>>): void {
    const parsed = MetadataSchema.safeParse(attributes)
    if (!parsed.success || Number.isNaN(this.#startMs)) return
    this.#hasZone = true
    this.#collected.zones.add(parsed.data.value, this.#startMs)
  }

  #countUnread(type: string): void {
    const storable = deviceNameOf(type) || "rows without a type"
    countNamed(this.#unread, storable, { most: MOST_TYPES, further: "further types" })
  }

  #ignore(reason: string | undefined, line: LineOf): void {
    if (reason === undefined) return
    const storable = deviceNameOf(reason)
    const named = this.#faults.has(storable) || this.#faults.size < MOST_REASONS ? storable : "further rows"
    this.#faults.getOrInsertComputed(named, () => ({ count: 0, line: line() })).count += 1
  }

  #leaveOut(field: string, reason: string): void {
    const named = leftOutReason("workout", field, deviceNameOf(reason))
    countNamed(this.#leftOut, named, { most: MOST_REASONS, further: "further fields" })
  }

  *#profile(): Generator<ArchiveItem, void> {
    const [height, weight] = [this.#body.get(HEIGHT), this.#body.get(BODY_MASS)]
    const body = knownOrNone({ heightMeters: height?.value, weightKilograms: weight?.value })
    const at = new Date(Math.max(height?.ms ?? 0, weight?.ms ?? 0))
    const data = { id: "apple_health-profile", providerId: "profile", ...known({ body }) }
    if (body) yield { type: "profile", profile: { data, raw: JSON.parse(JSON.stringify({ height, weight })) }, at }
  }

  *#notes(): Generator<ArchiveItem, void> {
    const { timeZone } = this.#options
    const copies = this.#collected.devices.filter(({ kind }) => kind === "copy").map(({ name }) => name)
    if (copies.length > 0)
      yield {
        type: "note",
        note: `Rows of ${copies.join(", ")} are copies of a vendor's own data: they count only where no other device has any`,
      }
    if (!this.#hasZone && this.#records > 0)
      yield { type: "note", note: `The export names no time zone: yours, ${timeZone}, was used` }
    if (this.#unread.size === 0) return
    const types = [...this.#unread].toSorted(([, one], [, other]) => other - one)
    const listed = types.map(([type, count]) => `${type} ${count.toLocaleString("en")}`).join(", ")
    yield { type: "note", note: `Rows of types that Restwell does not read: ${listed}` }
  }
}

/** `HKQuantityTypeIdentifierFlightsClimbed` is `FlightsClimbed`. */
const nameOfType = (type: string): string =>
  type.replace(/^HK(?:Quantity|Category|Data|Correlation)?TypeIdentifier/, "")

/** Of the profile, the newest that can be true. */
const BODY_FIELDS: ReadonlyMap<string, string> = new Map([
  [HEIGHT, "data.body.heightMeters"],
  [BODY_MASS, "data.body.weightKilograms"],
])
/** Elements of the root that are read, or that have no rows. */
const OWN_ELEMENTS: ReadonlySet<string> = new Set(["Record", "Workout", "ExportDate", "Me"])
/** Apple has some 200. */
const MOST_TYPES = 300

interface OpenWorkout {
  readonly attributes: WorkoutAttributes
  readonly statistics: Statistics[]
}

interface Value {
  readonly type: string
  readonly quantity: Quantity | undefined
  readonly startMs: number
  readonly endMs: number
  readonly amount: number
  readonly name: string
  readonly model: string
}

const MOST_NAMES = 2_000
const MOST_STATISTICS = 40
