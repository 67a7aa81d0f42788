import { MINUTE_MS } from "@restwell/client/time-units"
import type { z } from "zod"
import {
  type ArchiveItem,
  fileItems,
  type IgnoredItem,
  ignoredFile,
  type ReadingItem,
  recordItems,
  UnreadableArchive,
  UnreadableFile,
} from "../archive/archive-items.ts"
import { fileNotes } from "../archive/file-notes.ts"
import { readJsonRows } from "../archive/json-entries.ts"
import { headOf } from "../archive/text.ts"
import { UnreadFigures } from "../archive/unread-figures.ts"
import { baseName, isHidden, mayBeOpened, readNestedZip, type ZipEntry } from "../archive/zip-entries.ts"
import { ArchiveDays } from "./archive-days.ts"
import { UnreadableFit } from "./fit.ts"
import { FitNights } from "./fit-nights.ts"
import { isPart, normalizeActivity, timesOf } from "./normalize.ts"
import {
  type ActivityRow,
  ActivityRowSchema,
  BodyRowSchema,
  DayRowSchema,
  HealthRowSchema,
  ReadinessRowSchema,
  SleepRowSchema,
} from "./wire.ts"

// Which files of Garmin's archive are read. They are known by names and content, because Garmin moves them between folders.

/** Each kind by its name, which older and newer archives spell differently, and by a field that no other file has. */
const JSON_KINDS = {
  days: { name: /uds_?file.*\.json$/i, field: /"wellnessStartTimeGmt"/, as: "days" },
  health: { name: /health_?status_?data.*\.json$/i, field: /"baselineUpperLimit"/, as: "figures of nights" },
  readiness: { name: /training_?readiness_?dto.*\.json$/i, field: /"inputContext"/, as: "readiness" },
  body: {
    name: /user_?bio_?metrics.*\.json$/i,
    field: /"metaData"[\s\S]*"(?:weight|height|vo2Max\w*)"/,
    as: "weights and heights",
  },
  nights: { name: /sleep_?data.*\.json$/i, field: /"sleepStartTimestampGMT"/, as: "nights" },
  activities: { name: /summarized_?activities.*\.json$/i, field: /"summarizedActivitiesExport"/, as: "activities" },
} as const
type JsonKind = keyof typeof JSON_KINDS
const KINDS = ["days", "health", "readiness", "body", "nights", "activities"] as const satisfies readonly JsonKind[]

const FIT_ZIP = /uploaded_?files.*\.zip$/i
const FIT = /\.fit$/i
/** Backups of devices. Nothing is read of them. */
const BACKUP = /_(?:LhaBackup|PrimaryTrainingBackup|AdaptiveCoachingSchedule)_.*\.zip$/i

type GarminFiles = Readonly<Record<JsonKind | "fitZips" | "fit" | "backups" | "unread", readonly ZipEntry[]>>

const FOLDER = /(?:^|\/)DI_CONNECT\//
/** JSON files of other names whose beginning is looked at. Archives have some dozens. */
const MOST_LOOKED_AT = 300
const LOOKED_AT_LENGTH = 16_384

/**
 * Returns the files of Garmin's archive. Undefined for another archive.
 * @param isOther true if the names are those of another vendor, whose archive may have recordings too
 */
export async function garminFilesOf(entries: readonly ZipEntry[], isOther: boolean): Promise<GarminFiles | undefined> {
  const files: Record<keyof GarminFiles, ZipEntry[]> = {
    days: [],
    health: [],
    readiness: [],
    body: [],
    nights: [],
    activities: [],
    fitZips: [],
    fit: [],
    backups: [],
    unread: [],
  }
  const visible = entries.filter(({ name }) => !isHidden(name))
  const names = visible.map(({ name }) => name)
  let [lookedAt, isGarmin] = [0, names.some((name) => FOLDER.test(name))]
  for (const entry of visible) {
    const name = baseName(entry.name)
    let kind = kindByName(name)
    if (kind === undefined && /\.json$/i.test(name) && mayBeOpened(entry.name) && lookedAt < MOST_LOOKED_AT) {
      lookedAt += 1
      kind = await kindByContent(entry)
    }
    files[kind ?? "unread"].push(entry)
    isGarmin ||= kind !== undefined && !(kind === "fit" && isOther)
  }
  return isGarmin ? files : undefined
}

function kindByName(name: string): keyof GarminFiles | undefined {
  if (BACKUP.test(name)) return "backups"
  if (FIT_ZIP.test(name)) return "fitZips"
  return FIT.test(name) ? "fit" : KINDS.find((kind) => JSON_KINDS[kind].name.test(name))
}

/** Garmin renames files: userBioMetrics.json was user_biometrics.json. */
async function kindByContent(entry: ZipEntry): Promise<JsonKind | undefined> {
  try {
    const { text } = await headOf(entry, LOOKED_AT_LENGTH)
    return KINDS.find((kind) => JSON_KINDS[kind].field.test(text))
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined
    throw error
  }
}

const isFit = ({ name }: ZipEntry): boolean => FIT.test(name) && !isHidden(name)

// Garmin's export archive: a zip of JSON files about nights, days and activities, and FIT files inside zip files. It has all that a
// person's devices ever uploaded.

export interface GarminArchiveOptions {
  /** Decides what may still be scored. */
  readonly now: Date
  /** Of the person: an IANA name. */
  readonly timeZone: string
}

/**
 * Streams what Garmin's archive contains.
 * @throws {UnreadableArchive} when a file of it is broken as a whole
 */
export async function* readGarminArchive(
  files: GarminFiles,
  { now, timeZone }: GarminArchiveOptions,
): AsyncGenerator<ArchiveItem, void> {
  for (const _ of files.backups) yield { type: "ignored", reason: "backups of devices" }
  yield* fileNotes(
    [
      ...KINDS.map((kind) => [JSON_KINDS[kind].as, files[kind]] as const),
      ["recordings of devices", [...files.fitZips, ...files.fit]],
    ],
    files.unread,
  )
  const days = new ArchiveDays(timeZone)
  yield* collect(files, { kind: "days", schema: DayRowSchema }, days.addDay)
  yield* collect(files, { kind: "health", schema: HealthRowSchema }, days.addHealth)
  yield* collect(files, { kind: "readiness", schema: ReadinessRowSchema }, days.addReadiness)
  yield* collect(files, { kind: "body", schema: BodyRowSchema }, days.addBody)
  yield* collect(files, { kind: "nights", schema: SleepRowSchema }, days.addNight)
  const unread = new UnreadFigures(JSON_KINDS.activities.as, Object.keys(ActivityRowSchema.shape))
  for (const file of files.activities) yield* workoutsOf(file, days, unread)
  yield* unread.note()
  const fit = new FitNights(days.sleeps())
  yield* readFitFiles(files.fit, fit)
  for (const zip of files.fitZips) yield* fileItems(readFitZip(zip, fit))
  yield* fit.take()
  yield* days.items(fit, now)
  const { note } = days.offsets
  if (note !== undefined) yield { type: "note", note }
}

async function* readFitZip(zip: ZipEntry, fit: FitNights): AsyncGenerator<ArchiveItem, void> {
  for await (const entries of readNestedZip(zip)) {
    if (entries?.length === 0) throw new UnreadableFile(`${baseName(zip.name)} is a zip file without files`)
    if (entries) yield* readFitFiles(entries.filter(isFit), fit)
    else yield { type: "reading" }
  }
}

/** Reads each row of a kind, and names the figures that are not read. @param add returns why a row is ignored, if it is */
async function* collect<Schema extends z.ZodObject>(
  files: GarminFiles,
  { kind, schema }: { readonly kind: JsonKind; readonly schema: Schema },
  add: (row: z.infer<Schema>) => string | undefined,
): AsyncGenerator<ArchiveItem, void> {
  const unread = new UnreadFigures(JSON_KINDS[kind].as, Object.keys(schema.shape))
  for (const file of files[kind])
    for await (const row of fileItems(readJsonRows(file, schema, { onRow: unread.add }))) {
      if ("type" in row) yield row
      else {
        const reason = add(row.row)
        if (reason !== undefined) yield { type: "ignored", reason }
      }
    }
  yield* unread.note()
}

const ACTIVITY_PATHS = ["$.*.summarizedActivitiesExport.*", "$.summarizedActivitiesExport.*"]
/** More than anyone has in one file. They are in memory, because energies are judged by all of them. */
const MOST_ACTIVITIES = 100_000

async function* workoutsOf(
  file: ZipEntry,
  { offsets }: ArchiveDays,
  { add: onRow }: UnreadFigures,
): AsyncGenerator<ArchiveItem, void> {
  const found: { readonly row: ActivityRow; readonly place: string }[] = []
  for await (const read of fileItems(readJsonRows(file, ActivityRowSchema, { paths: ACTIVITY_PATHS, onRow }))) {
    if ("type" in read) yield read
    else if (isPart(read.row))
      yield { type: "ignored", reason: "parts of activities with several sports, which are stored as a whole" }
    else found.push(read)
    if (found.length > MOST_ACTIVITIES)
      throw new UnreadableArchive(`${baseName(file.name)} has more than ${MOST_ACTIVITIES} activities`)
  }
  const divisor = energyDivisorOf(found.map(({ row }) => row))
  for (const { row, place } of found) {
    const archived = normalizeActivity(row, divisor, offsets)
    if (archived) yield* recordItems(archived, place)
    else yield { type: "ignored", reason: `${place}: no start or no duration` }
  }
}

const KILOJOULES = 4.184
/** Shorter activities have odd rates of energy. */
const JUDGED_FROM_MS = 20 * MINUTE_MS
/** Kilocalories a minute. Half of all activities are never harder. */
const HARDEST_MEDIAN = 17
/** Kilocalories a minute, 3600 a day: nobody's rest has as many, and everybody's has more kilojoules. */
const MOST_AT_REST = 2.5

function medianRateOf(rows: readonly ActivityRow[], energy: "bmrCalories" | "calories"): number {
  const rates = rows
    .flatMap((row) => {
      const lengthMs = timesOf(row)?.lengthMs ?? 0
      const amount = row[energy] ?? 0
      return amount > 0 && lengthMs > JUDGED_FROM_MS ? [amount / (lengthMs / MINUTE_MS)] : []
    })
    .sort((one, other) => one - other)
  const middle = rates.length / 2
  return rates.length === 0 ? 0 : ((rates[Math.ceil(middle) - 1] ?? 0) + (rates[Math.floor(middle)] ?? 0)) / 2
}

/**
 * Returns what divides the energies of a file: some have kilojoules under the name of calories. Walks and yoga in kilojoules look like
 * runs in kilocalories, but the share of rest, which is in the same unit, tells them apart.
 * @see https://github.com/ericdodds/garmin-data-project which divides both
 */
function energyDivisorOf(rows: readonly ActivityRow[]): number {
  const isKilojoules =
    medianRateOf(rows, "bmrCalories") > MOST_AT_REST || medianRateOf(rows, "calories") > HARDEST_MEDIAN
  return isKilojoules ? KILOJOULES : 1
}

/** A recording of a whole day by a bicycle computer has 10 MB. */
const LARGEST_FIT = 64 * 1_048_576
async function* readFitFiles(files: readonly ZipEntry[], fit: FitNights): AsyncGenerator<ArchiveItem, void> {
  for (const file of files) {
    yield file.bytes > LARGEST_FIT ? ignoredFits("FIT files of more than 64 MB") : await readFitFile(file, fit)
    if (fit.isFull) yield* fit.take()
  }
}

const ignoredFits = (reason: string): IgnoredItem => ({ type: "ignored", reason })

/** @returns whether the file was read, or why it is ignored */
async function readFitFile(file: ZipEntry, fit: FitNights): Promise<IgnoredItem | ReadingItem> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of await file.open()) pieces.push(piece)
    const reason = fit.read(Buffer.concat(pieces))
    return reason === undefined ? { type: "reading", isWholeFile: true } : ignoredFits(reason)
  } catch (error) {
    if (error instanceof UnreadableFile) return ignoredFile(error)
    if (error instanceof UnreadableFit) return ignoredFits("FIT files that cannot be read")
    throw error
  }
}
