// Which vendor an uploaded archive is from, by its content.

import { sourceName } from "@restwell/client/figures"
import { appleFileAmong, readAppleArchive } from "./apple-health/archive.ts"
import {
  type ArchiveFile,
  type ArchiveItem,
  DamagedFile,
  ignoredFile,
  UnreadableArchive,
  UnreadableFile,
} from "./archive/archive-items.ts"
import { fileNotes } from "./archive/file-notes.ts"
import { isDatabaseFile, openSqlite } from "./archive/sqlite-file.ts"
import { headOf, type LookAt, lookingAt, ownText, type TextFile, type TextHead, textFileOf } from "./archive/text.ts"
import { baseName, encrypted, mayBeOpened, readZipEntries, type ZipEntry } from "./archive/zip-entries.ts"
import { isGadgetbridge, readGadgetbridge } from "./gadgetbridge/archive.ts"
import { garminFilesOf, readGarminArchive } from "./garmin/archive.ts"
import { readTakeout } from "./google-health/archive.ts"
import { takeoutFilesOf } from "./google-health/takeout-files.ts"
import { isHealthConnect, readHealthConnect } from "./health-connect/archive.ts"
import { otherVendorOf, READ_ARCHIVES, READABLE_EXPORTS, refusalOf } from "./other-vendors.ts"
import { isMissed, noHeader, readOuraArchive } from "./oura/archive.ts"
import { type OtherFile, type OuraTable, ouraTableOf } from "./oura/archive-layout.ts"
import { isSleepAsAndroid, readSleepAsAndroid } from "./sleep-as-android/archive.ts"
import { readWhoopArchive, type WhoopFile, whoopFileOf } from "./whoop/archive.ts"

/** A vendor's archive that was recognised. */
export interface VendorArchive {
  readonly kind:
    | "whoop_archive"
    | "oura_archive"
    | "garmin_archive"
    | "google_takeout"
    | "apple_archive"
    | "health_connect_export"
    | "gadgetbridge_export"
    | "sleep_as_android_export"
  readonly provider:
    | "whoop"
    | "oura"
    | "garmin"
    | "google_health"
    | "apple_health"
    | "health_connect"
    | "gadgetbridge"
    | "sleep_as_android"
  /** True if records have the vendor's own ids. */
  readonly hasVendorIds: boolean
  readonly items: AsyncIterable<ArchiveItem>
  /** Fraction that was read, 0 to 1, of a database, which is copied as a whole before. Of other archives the bytes tell it. */
  readonly progress?: () => number
}

interface ReadOptions {
  readonly isZip: boolean
  /** Decides what may still be scored. */
  readonly now: Date
  /** Of the person: an IANA name. For times without an offset. */
  readonly timeZone: string
}

/**
 * Returns what a vendor's archive contains. A file of it that is broken is ignored with a reason.
 * @throws {UnreadableArchive} when the file is broken as a whole or is no archive that is read, also while its items are read
 */
export async function readVendorArchive(file: ArchiveFile, options: ReadOptions): Promise<VendorArchive> {
  const archive = await recognized(file, options)
  return { ...archive, items: sayingNothing(archive) }
}

async function recognized(file: ArchiveFile, { isZip, now, timeZone }: ReadOptions): Promise<VendorArchive> {
  const entries = isZip ? await readZipEntries(file) : undefined
  const takeout = entries && takeoutFilesOf(entries)
  const locked = entries?.find(({ isEncrypted }) => isEncrypted)
  if (locked) {
    const names = (entries ?? []).map(({ name }) => name)
    throw (takeout ? undefined : refusalOf([file.name, ...names])) ?? encrypted(locked)
  }
  if (takeout)
    return {
      kind: "google_takeout",
      provider: "google_health",
      hasVendorIds: true,
      items: readTakeout(takeout, { now, timeZone }),
    }
  const faults: UnreadableFile[] = []
  const database = await databaseAmong(entries ?? [textFileOf(file)], lookingAt(faults))
  // Gadgetbridge's zip has the FIT files of a Garmin watch beside its database.
  const isOther = database !== undefined || otherVendorOf((entries ?? []).map(({ name }) => name)) !== undefined
  const garmin = entries && (await garminFilesOf(entries, isOther))
  if (garmin)
    return {
      kind: "garmin_archive",
      provider: "garmin",
      hasVendorIds: true,
      items: readGarminArchive(garmin, { now, timeZone }),
    }
  const apple = await appleFileAmong(entries ?? [textFileOf(file)], lookingAt(faults))
  if (apple)
    return {
      kind: "apple_archive",
      provider: "apple_health",
      hasVendorIds: true,
      items: beside(othersThan([apple], entries), readAppleArchive(apple, { now, timeZone })),
    }
  if (database) {
    const archive = await readDatabase(database, { now, timeZone })
    const log = entries?.find(({ name, bytes }) => name === `${database.name}-wal` && bytes > 0)
    const unread = othersThan(log ? [database, log] : [database], entries)
    return { ...archive, items: log ? withoutLog(log, beside(unread, archive.items)) : beside(unread, archive.items) }
  }
  return tablesOf({ file, entries, faults }, { now, timeZone })
}

type Named = Pick<TextFile, "name">

const othersThan = (read: readonly Named[], entries: readonly ZipEntry[] = []): readonly ZipEntry[] => {
  const names = new Set(read.map(({ name }) => name))
  return entries.filter(({ name }) => !names.has(name))
}

/** What an archive gives, and the names of the files that nothing is read of. */
async function* beside(unread: readonly Named[], items: AsyncIterable<ArchiveItem>): AsyncGenerator<ArchiveItem, void> {
  yield* fileNotes([], unread)
  yield* items
}

/** The program that wrote the database was writing to it still: its newest rows are in the log beside it. */
async function* withoutLog(log: Named, items: AsyncIterable<ArchiveItem>): AsyncGenerator<ArchiveItem, void> {
  yield {
    type: "note",
    note: `Rows may be missing: the newest ones are in ${baseName(log.name)}, which Restwell does not read. Export again with the app at rest to have them`,
  }
  yield* items
}

/** Files of a zip archive that may be a database. */
const MOST_DATABASES = 20
const OTHER_FILE = /\.(?:csv|json|xml|html?|txt|fit|gpx|tcx|jpe?g|png|pdf|zip|wav|gz)$/i

/** They are looked at first. Gadgetbridge's has no ending. */
const IS_DATABASE = /\.db$|(?:^|\/)database\//i

/** Returns the first file that is a database. */
async function databaseAmong(files: readonly TextFile[], lookAt: LookAt): Promise<TextFile | undefined> {
  const possible = files
    .filter(({ name }) => mayBeOpened(name) && (files.length === 1 || !OTHER_FILE.test(name)))
    .toSorted((one, other) => Number(IS_DATABASE.test(other.name)) - Number(IS_DATABASE.test(one.name)))
  for (const file of possible.slice(0, MOST_DATABASES)) if (await lookAt(isDatabaseFile(file))) return file
  return undefined
}

/** @throws {UnreadableArchive} when it is damaged, or of a program that is not known */
async function readDatabase(file: TextFile, options: Omit<ReadOptions, "isZip">): Promise<VendorArchive> {
  const database = await openSqlite(file)
  const progress = () => database.progress
  if (isHealthConnect(database))
    return {
      kind: "health_connect_export",
      provider: "health_connect",
      hasVendorIds: true,
      items: readHealthConnect(database, options),
      progress,
    }
  if (isGadgetbridge(database))
    return {
      kind: "gadgetbridge_export",
      provider: "gadgetbridge",
      hasVendorIds: true,
      items: readGadgetbridge(database, options),
      progress,
    }
  database[Symbol.dispose]()
  throw new UnreadableArchive(`${file.name} is a database of a program that is not known here`, {
    nextStep: READ_ARCHIVES,
  })
}

/** Oura's archive has about 60 tables, and WHOOP's four. */
const MOST_TABLES = 500

/** What the tables of an upload are. */
interface Tables {
  readonly sleepAsAndroid: TextFile[]
  readonly oura: OuraTable[]
  readonly whoop: WhoopFile[]
  readonly others: OtherFile[]
  readonly heads: TextHead[]
  /** Files that cannot be read. */
  readonly faults: UnreadableFile[]
}

interface Looked {
  readonly file: ArchiveFile
  readonly entries: readonly ZipEntry[] | undefined
  /** Of files that were looked at for other archives. */
  readonly faults: readonly UnreadableFile[]
}

async function tablesOf(
  { file, entries, faults }: Looked,
  { now, timeZone }: Omit<ReadOptions, "isZip">,
): Promise<VendorArchive> {
  if (entries?.some(({ name }) => name === "xl/workbook.xml"))
    throw new UnreadableArchive(`${file.name} was saved by a spreadsheet program`, {
      nextStep: "upload the zip file as the vendor sent it",
    })
  const possible = entries ? entries.filter(({ name }) => /\.csv$/i.test(name)) : [textFileOf(file)]
  const files = possible.filter(({ name }) => mayBeOpened(name))
  const tables = await tablesAmong(files.slice(0, MOST_TABLES), faults)
  // Tables that cannot be read are named with their fault.
  const noTables = othersThan(files, entries)
  const rest = async function* (
    unread: readonly Named[],
    items: AsyncIterable<ArchiveItem>,
  ): AsyncGenerator<ArchiveItem, void> {
    yield* fileNotes([], [...noTables, ...unread])
    for (const fault of tables.faults) yield ignoredFile(fault)
    if (files.length > MOST_TABLES)
      yield { type: "ignored", reason: `tables beyond the first ${MOST_TABLES}`, count: files.length - MOST_TABLES }
    yield* items
  }
  if (tables.oura.length > 0) {
    const missed = tables.others.filter(isMissed)
    const unread = [...tables.others.filter((other) => !isMissed(other)), ...tables.sleepAsAndroid]
    const items = rest(unread, readOuraArchive(tables.oura, missed, now))
    return { kind: "oura_archive", provider: "oura", hasVendorIds: true, items }
  }
  if (tables.sleepAsAndroid.length > 0)
    return {
      kind: "sleep_as_android_export",
      provider: "sleep_as_android",
      hasVendorIds: true,
      items: rest(tables.others, readSleepAsAndroid(tables.sleepAsAndroid, { now, timeZone })),
    }
  if (tables.whoop.length === 0) throw refusal(file, entries, tables)
  const unknown = tables.others.filter(({ name }) => !tables.whoop.some((table) => table.name === name))
  const items = rest(
    [],
    (async function* () {
      for (const other of unknown) yield { type: "ignored" as const, reason: unknownTable(other) }
      yield* readWhoopArchive(tables.whoop, timeZone)
    })(),
  )
  return { kind: "whoop_archive", provider: "whoop", hasVendorIds: false, items }
}

async function tablesAmong(files: readonly TextFile[], faults: readonly UnreadableFile[]): Promise<Tables> {
  const tables: Tables = { sleepAsAndroid: [], oura: [], whoop: [], others: [], heads: [], faults: [...faults] }
  const lookAt = lookingAt(tables.faults)
  for (const file of files) await lookAt(addTable(tables, file))
  return tables
}

async function addTable(tables: Tables, file: TextFile): Promise<void> {
  const head = await headOf(file)
  if (head.text.trim() === "") throw new UnreadableFile(`${file.name} is empty`)
  const oura = ouraTableOf(head)
  if (isSleepAsAndroid(head)) tables.sleepAsAndroid.push(file)
  else if ("table" in oura) tables.oura.push(oura)
  else {
    tables.others.push(oura)
    const whoop = whoopFileOf(head)
    if (whoop) tables.whoop.push(whoop)
    // Their texts are only looked at again without any table that is read.
    else tables.heads.push({ ...head, text: ownText(head.text.slice(0, LONGEST_HEADER)) })
  }
}

const LONGEST_HEADER = 1_000

const unknownTable = ({ name, header }: OtherFile): string =>
  `${name} is no export that Restwell reads. Its first line, "${header}", names no table that is known here`

/** Why none of the files of an upload is read. */
function refusal(
  file: ArchiveFile,
  entries: readonly ZipEntry[] | undefined,
  { others, heads, faults }: Tables,
): UnreadableArchive {
  const names = entries?.map(({ name }) => name) ?? []
  const ofOther = refusalOf([file.name, ...names], heads)
  if (ofOther) return ofOther
  const ofOura = others.find(({ isOfOura }) => isOfOura)
  if (ofOura) return new UnreadableArchive(noHeader(ofOura), { nextStep: "upload the whole zip file of Oura's export" })
  const [fault] = faults
  if (fault) return fault
  if (entries && names.length > 0 && names.every((name) => /\.zip$/i.test(name)))
    return new UnreadableArchive(`${file.name} has another zip file inside`, {
      nextStep: "unpack it once and upload the one inside",
    })
  if (heads.some(({ text }) => /^\s*</.test(text)))
    return new UnreadableArchive(`${file.name} is an XML file that is not known here`, { nextStep: READ_ARCHIVES })
  const [other] = others
  return new UnreadableArchive(other ? unknownTable(other) : `${file.name} has no file that is known here`, {
    nextStep: READ_ARCHIVES,
  })
}

const nothingOf = (provider: string): string =>
  `Nothing of this archive was read: it is of ${sourceName(provider)} and has none of the files that Restwell reads, or nothing in them, so it may be a part of a larger export. Restwell reads ${READABLE_EXPORTS}`
const NOTHING_USABLE = "Nothing of this archive was read, for the reasons that are listed"

/**
 * An archive of a known vendor that gives nothing says so. What a damaged file gave is used beside files that are whole, and not alone.
 * @throws {UnreadableFile} when a file that is broken is why
 */
async function* sayingNothing({ items, provider }: VendorArchive): AsyncGenerator<ArchiveItem, void> {
  let [isEmpty, hasReasons, hasWholeFile] = [true, false, false]
  let [fault, damage]: (UnreadableFile | undefined)[] = []
  for await (const item of items) {
    if (item.type === "ignored") {
      hasReasons = true
      fault ??= item.fault
      if (item.fault instanceof DamagedFile) damage ??= item.fault
    } else if (item.type === "reading") hasWholeFile ||= item.isWholeFile === true
    else if (item.type !== "note" && item.type !== "left_out") isEmpty = false
    yield item
  }
  if (damage && !hasWholeFile) throw damage
  if (!isEmpty) return
  if (fault) throw fault
  yield { type: "note", note: hasReasons ? NOTHING_USABLE : nothingOf(provider) }
}
