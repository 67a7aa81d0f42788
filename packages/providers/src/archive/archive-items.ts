// Archives that a person downloads from a vendor and uploads here. They need no tokens.
import type { Bound, LeftOutField, NormalizedProfile, NormalizedRecord } from "../contract/records.ts"
import type { SampleSet } from "../contract/series.ts"
import { plausibleRecord } from "../normalize/plausible.ts"
import { hasRecoveryFigures } from "../normalize/recovery-figures.ts"

/** An uploaded file, read at any position, so that nobody holds it in memory as a whole. */
export interface ArchiveFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
  /** Reads this many bytes, or fewer at the end of the file. */
  read(position: number, length: number): Promise<Buffer>
}

/** One answer of a person's journal. */
export interface JournalAnswer {
  /** Start of the cycle that the answer is about. For a tag, the time of the tag. */
  readonly cycleStartedAt: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
  /** The question as the vendor asked it. */
  readonly question: string
  /** The canonical name of the topic, such as `alcohol`. */
  readonly factor: string
  /** Null for a question that was asked and not answered. */
  readonly answer: boolean | null
  /** The vendor's own id, where the archive has one. It comes with a date. */
  readonly providerId?: string
  /** Local date of the waking that it belongs to, YYYY-MM-DD. Without it the date is that of the cycle. */
  readonly date?: string
  /** True for topics that are ignored unless the person asks for them. */
  readonly isPrivate: boolean
}

/** A record of an archive. It is complete on its own: its date, and the time of a recovery, come from its own row. */
export interface ArchivedRecord {
  readonly record: NormalizedRecord
  /** Local calendar date, YYYY-MM-DD. */
  readonly date: string
  readonly startedAt: Date
  /** Minutes east of UTC. */
  readonly utcOffsetMinutes: number
  /** Of the versions of a record that several archives have, the highest counts, and of equal ones the newest import's. @default 0 */
  readonly precedence?: number
}

/** What a row of an archive gives. Its place is file and line. */
export type ArchiveItem =
  | { readonly type: "record"; readonly archived: ArchivedRecord; readonly place: string }
  | { readonly type: "journal"; readonly answer: JournalAnswer; readonly place: string }
  /** Values within the day, or values that come now and then, such as a weight. */
  | { readonly type: "series"; readonly set: SampleSet; readonly place: string }
  | { readonly type: "profile"; readonly profile: NormalizedProfile; readonly at: Date }
  /** What the report says beside its counts: a sentence without a stop at its end. */
  | { readonly type: "note"; readonly note: string }
  | ReadingItem
  /** A field that cannot be used. Its row is used without it. The reason names no row, so that equal ones are counted together. */
  | { readonly type: "left_out"; readonly reason: string }
  | IgnoredItem

/** Nothing was found in many rows, or a file that gave something was read to its end. It shows that reading goes on. */
export interface ReadingItem {
  readonly type: "reading"
  readonly isWholeFile?: true
}

/** A row that cannot be used, or a file. The reason names file and line. @default count 1 */
export interface IgnoredItem {
  readonly type: "ignored"
  readonly reason: string
  readonly count?: number
  /** Why a whole file is ignored, or the rest of it. */
  readonly fault?: UnreadableFile
}

/** A record as far as it can be used and what was left out of it, or why it is ignored. @param bounds of the vendor's own scales */
export function recordItems(archived: ArchivedRecord, place: string, bounds: readonly Bound[] = []): ArchiveItem[] {
  const plausible = plausibleRecord(archived.record, bounds)
  if ("fault" in plausible) {
    const { field, reason } = plausible.fault
    return [{ type: "ignored", reason: `${place}: ${field}: ${reason}` }]
  }
  const { record } = plausible
  const leftOut = leftOutItems(record.kind, record.leftOut)
  return isEmpty(record) ? leftOut : [...leftOut, { type: "record", archived: { ...archived, record }, place }]
}

/** True for a recovery that was made of figures of which none can be true. */
const isEmpty = (record: NormalizedRecord): boolean =>
  record.kind === "recovery" && record.leftOut !== undefined && !hasRecoveryFigures(record)

/** @param what the kind of record, or the file that the fields are of */
export const leftOutItems = (what: string, leftOut: readonly LeftOutField[] = []): ArchiveItem[] =>
  leftOut.map(({ field, reason }) => ({ type: "left_out", reason: leftOutReason(what, field, reason) }))

/** Elements of a list have one reason: `levels.data.7.seconds` is a field of `levels.data`. */
export const leftOutReason = (what: string, field: string, reason: string): string =>
  `${what}: ${field.replaceAll(/\.\d+(?=\.|$)/g, "")} left out: ${reason}`

/** What a person can try where the fault names no step of its own. */
const GET_ANOTHER = "upload the file as it was sent to you or get a new one"

/** The file is broken as a whole, or no archive that is known. The message is one plain sentence for the person, with the next step. */
export class UnreadableArchive extends Error {
  override readonly name: string = "UnreadableArchive"
  /** What is wrong, without the next step. */
  readonly fault: string

  constructor(fault: string, options: ErrorOptions & { readonly nextStep?: string } = {}) {
    super(`${fault}, ${options.nextStep ?? GET_ANOTHER}`, options)
    this.fault = fault
  }
}

/** One file of an archive is broken, at least from a place on. `fileItems` reads the files beside it. */
export class UnreadableFile extends UnreadableArchive {
  override readonly name: string = "UnreadableFile"
}

/** The bytes of one file of an archive are not those that were packed. Figures may have been changed by it, up to where it shows. */
export class DamagedFile extends UnreadableFile {
  override readonly name = "DamagedFile"
}

/** Items that give nothing of a file. */
const QUIET: readonly unknown[] = ["ignored", "note", "reading"] satisfies ArchiveItem["type"][]

/**
 * Streams what a file of an archive gives. Where the file is broken, the report gets the reason, and its other files are read. What was
 * given before that is used: a long file that ends too early has years of rows.
 */
export async function* fileItems<Item extends object>(
  items: AsyncIterable<Item>,
): AsyncGenerator<Item | IgnoredItem | ReadingItem, void> {
  let hasGiven = false
  try {
    for await (const item of items) {
      hasGiven ||= !("type" in item && QUIET.includes(item.type))
      yield item
    }
    if (hasGiven) yield { type: "reading", isWholeFile: true }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield ignoredFile(error, hasGiven)
  }
}

/** @param hasGiven whether something was read of it before the fault */
export const ignoredFile = (fault: UnreadableFile, hasGiven = false): IgnoredItem => ({
  type: "ignored",
  reason: hasGiven ? `${fault.fault}, and what was read of it before that is used` : fault.fault,
  fault,
})
