// Archives that a person downloads from a vendor and uploads here. They need no tokens.
import type { NormalizedProfile, NormalizedRecord } from "../contract/records.ts"
import type { SampleSet } from "../contract/series.ts"
import { findImplausible } from "../normalize/plausible.ts"

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

/** A record of an archive. It is complete on its own: its date and time come from its own row. */
export interface ArchivedRecord {
  readonly record: NormalizedRecord
  /** Local calendar date, YYYY-MM-DD. */
  readonly date: string
  readonly startedAt: Date
  readonly endedAt: Date | null
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
  /** Nothing was found in many rows. It shows that reading goes on. */
  | { readonly type: "reading" }
  /** A row that cannot be used. The reason names file and line. @default count 1 */
  | { readonly type: "ignored"; readonly reason: string; readonly count?: number }

/** A record, or why it is ignored. */
export function recordItem(archived: ArchivedRecord, place: string): ArchiveItem {
  const implausible = findImplausible(archived.record, [])
  return implausible
    ? { type: "ignored", reason: `${place}: ${implausible.field}: ${implausible.reason}` }
    : { type: "record", archived, place }
}

/** What a person can try where the fault names no step of its own. */
const GET_ANOTHER = "upload the file as it was sent to you or get a new one"

/** The file is broken as a whole, or no archive that is known. The message is one plain sentence for the person, with the next step. */
export class UnreadableArchive extends Error {
  override readonly name = "UnreadableArchive"

  constructor(fault: string, options: ErrorOptions & { readonly nextStep?: string } = {}) {
    super(`${fault}, ${options.nextStep ?? GET_ANOTHER}`, options)
  }
}
