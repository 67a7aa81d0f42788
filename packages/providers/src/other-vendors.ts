// Files of vendors and programs that are not read. Who uploads one is told whose it is and what is read, and is not sent for it again.
import { UnreadableArchive } from "./archive/archive-items.ts"
import type { TextHead } from "./archive/text.ts"

/** What an upload may be. */
export const READABLE_EXPORTS =
  "an export of WHOOP, Oura, Garmin, Apple Health, Health Connect, Gadgetbridge, Sleep as Android or Restwell itself, or Google Takeout with Fitbit's data"

/** What an upload may be, with the form of the file. */
export const READABLE_FILES = `${READABLE_EXPORTS}: the zip file, or of WHOOP and Oura one of its tables`

export const READ_ARCHIVES = `upload ${READABLE_EXPORTS}, instead`

interface Other {
  readonly vendor: string
  /** Paths of files in its archive. */
  readonly names?: RegExp
  /** First line of one of its tables. */
  readonly header?: RegExp
  /** What works instead of this vendor's file. */
  readonly instead?: string
}

const BY_HEALTH_CONNECT =
  "let its app write to Health Connect, then export Health Connect on the phone and upload that file"
const BY_GADGETBRIDGE = "or read the band with Gadgetbridge and upload its export"

/** Public descriptions of their exports, and public parsers of real files. */
const OTHERS: readonly Other[] = [
  {
    vendor: "Google Fit",
    names: /(?:^|\/)(?:Google )?Fit\/.+\/|(?:^|\/)Daily activity metrics(?:\/|\.csv$)/i,
    header: /Move Minutes count/i,
  },
  {
    vendor: "Withings",
    names: /(?:^|\/)(?:raw_(?:tracker|bed|hr|spo2)_[^/]*|aggregates_[a-z_]+)\.csv$/i,
    header: /^"?from"?,"?to"?,.*(?:light \(s\)|timezone|activity type)|^"?date"?,"?weight \((?:kg|lb)\)"?/i,
  },
  {
    vendor: "Samsung Health",
    names: /(?:^|\/)(?:samsunghealth_|com\.samsung\.)/i,
    header: /^com\.samsung\.|com\.samsung\.health/i,
    instead: BY_HEALTH_CONNECT,
  },
  {
    vendor: "Polar",
    names:
      /(?:^|\/)(?:training-session|training-target|activity|247ohr|nightly_recovery|sleep_(?:result|score|wake)s?|ppi_samples)[-_][\w-]*\.json$/i,
  },
  {
    vendor: "Strava",
    names: /(?:^|\/)(?:activities\/\d+\.(?:fit|gpx|tcx)(?:\.gz)?|(?:global_challenges|kudosgivens|segments)\.csv)$/i,
    header: /^"?activity id"?,"?activity date"?/i,
  },
  {
    vendor: "Zepp (Amazfit, Mi Fitness)",
    names: /(?:^|\/)(?:SLEEP|HEARTRATE_AUTO|ACTIVITY_MINUTE|ACTIVITY_STAGE|SPORT)\/[A-Z_]+\d+\.csv$|hlth_center_/,
    header: /^\ufeff?date,(?:lastSyncTime,)?deepSleepTime/i,
    instead: `${BY_HEALTH_CONNECT}, ${BY_GADGETBRIDGE}`,
  },
  {
    vendor: "Huawei Health",
    names: /(?:^|\/)(?:HUAWEI_HEALTH|health detail data|motion path detail data)/i,
    // Huawei's app writes nothing to Health Connect.
    instead: "read the band with Gadgetbridge and upload its export of workouts",
  },
  { vendor: "Sleep Cycle", names: /(?:^|\/)sleepdata\.csv$/i, header: /^"?start"?;"?end"?;"?sleep quality"?/i },
  { vendor: "AutoSleep", names: /(?:^|\/)AutoSleep-[^/]*\.csv$/i, header: /^"?ISO8601"?,"?fromDate"?/i },
  { vendor: "Health Auto Export", names: /(?:^|\/)HealthAutoExport[-_]/i },
  { vendor: "Ultrahuman", names: /(?:^|\/)ultrahuman[^/]*\.csv$/i },
  { vendor: "RingConn", names: /(?:^|\/)ringconn[^/]*\.csv$/i },
  { vendor: "Eight Sleep", names: /(?:^|\/)eight[-_ ]?sleep[^/]*\.(?:csv|json)$/i },
  { vendor: "MyFitnessPal", names: /(?:^|\/)(?:Measurement|Nutrition|Exercise)-Summary-\d{4}[^/]*\.csv$/i },
  { vendor: "COROS", names: /(?:^|\/)coros[^/]*$/i },
  { vendor: "Suunto", names: /(?:^|\/)suunto[^/]*$/i },
  { vendor: "Google Takeout without Fitbit's data", names: /(?:^|\/)Takeout\/|(?:^|\/)archive_browser\.html$/i },
]

/** Returns the vendor of files that are not read. Undefined for one that is not known. */
export const otherVendorOf = (names: readonly string[], heads: readonly TextHead[] = []): string | undefined =>
  otherOf(names, heads)?.vendor

function otherOf(names: readonly string[], heads: readonly TextHead[]): Other | undefined {
  const headers = heads.map(({ text }) => text.slice(0, text.indexOf("\n") + 1 || text.length).trim())
  return OTHERS.find(
    (other) => names.some((name) => other.names?.test(name)) || headers.some((header) => other.header?.test(header)),
  )
}

/** Returns what a refusal says of a vendor that is not read. Undefined for files of no known vendor. @param names of the upload, the first, and of what is in it */
export function refusalOf(names: readonly string[], heads: readonly TextHead[] = []): UnreadableArchive | undefined {
  const other = otherOf(names, heads)
  const { vendor, instead } = other ?? {}
  const nextStep = instead === undefined ? READ_ARCHIVES : `${READ_ARCHIVES}, or ${instead}`
  return (
    other && new UnreadableArchive(`${names[0]} is an export of ${vendor}, which Restwell does not read`, { nextStep })
  )
}

const UNPACK = "unpack it and upload what is inside as a .zip file"
const WHOLE_APPLE = "upload the whole export.zip as the iPhone made it"
/** Bytes as Latin-1 and where they are, what the file is then, and what to do. @see https://en.wikipedia.org/wiki/List_of_file_signatures */
const SIGNATURES: readonly (readonly [bytes: string, at: number, what: string, nextStep?: string])[] = [
  ["\x1f\x8b", 0, "a .gz or .tgz file", `${UNPACK}, or order the archive as .zip, which Google Takeout offers`],
  ["7z\xbc\xaf\x27\x1c", 0, "a .7z file", UNPACK],
  ["Rar!\x1a\x07", 0, "a .rar file", UNPACK],
  ["BZh", 0, "a .bz2 file", UNPACK],
  ["\xfd7zXZ", 0, "an .xz file", UNPACK],
  ["\x28\xb5\x2f\xfd", 0, "a .zst file", UNPACK],
  ["ustar", 257, "a .tar file", UNPACK],
  ["%PDF", 0, "a PDF file"],
  [".FIT", 8, "a single recording (.fit)", "upload the whole archive that Garmin sent instead"],
]

/** First elements of XML files. */
const ROOTS: readonly (readonly [root: RegExp, what: string, nextStep?: string])[] = [
  [/^gpx$/i, "a route (.gpx), which has no health data"],
  [/^TrainingCenterDatabase$/i, "a single workout (.tcx), which Restwell does not read"],
  [/^ClinicalDocument$/, "the clinical part of Apple Health's export", WHOLE_APPLE],
  [/^(?:Record|Workout|ActivitySummary|Correlation|MetadataEntry)$/, "a part of Apple Health's export", WHOLE_APPLE],
  [/^html$/i, "a web page"],
]

/** Refuses a file that is no archive at all, by its first bytes, with what it is. @throws {UnreadableArchive} */
export function refuseForeignFile(name: string, head: Buffer): void {
  const bytes = head.toString("latin1")
  const refuse = (what: string, nextStep = READ_ARCHIVES) => {
    throw new UnreadableArchive(`${name} is ${what}`, { nextStep })
  }
  for (const [signature, at, what, nextStep] of SIGNATURES) if (bytes.startsWith(signature, at)) refuse(what, nextStep)
  const text = isWide(head) ? bytes.replaceAll("\0", "") : bytes
  const [, root] = /^[^<]{0,9}(?:<[?!][^>]*>\s*)*<([A-Za-z]+)/.exec(text) ?? []
  for (const [pattern, what, nextStep] of ROOTS) if (root !== undefined && pattern.test(root)) refuse(what, nextStep)
}

/** UTF-16 has a zero in each letter. */
const isWide = (head: Buffer): boolean => ["\xff\xfe", "\xfe\xff"].includes(head.toString("latin1", 0, 2))
