// Which vendor an uploaded archive is from, by its content.

import { appleFileAmong, appleFileOf, readAppleArchive } from "./apple-health/archive.ts"
import { type ArchiveFile, type ArchiveItem, UnreadableArchive } from "./archive/archive-items.ts"
import { tableFileOf, tableFilesOf } from "./archive/csv-rows.ts"
import { readZipEntries } from "./archive/zip-entries.ts"
import { garminFilesOf, readGarminArchive } from "./garmin/archive.ts"
import { readTakeout } from "./google-health/archive.ts"
import { takeoutFilesOf } from "./google-health/takeout-files.ts"
import { noHeader, readOuraArchive } from "./oura/archive.ts"
import { type OtherFile, type OuraTable, ouraTableOf } from "./oura/archive-layout.ts"
import { readWhoopArchive } from "./whoop/archive.ts"

/** A vendor's archive that was recognised. */
export interface VendorArchive {
  readonly kind: "whoop_archive" | "oura_archive" | "garmin_archive" | "google_takeout" | "apple_archive"
  readonly provider: "whoop" | "oura" | "garmin" | "google_health" | "apple_health"
  /** True if records have the vendor's own ids. */
  readonly hasVendorIds: boolean
  readonly items: AsyncIterable<ArchiveItem>
}

interface ReadOptions {
  readonly isZip: boolean
  /** Decides what may still be scored. */
  readonly now: Date
  /** Of the person: an IANA name. For times without an offset. */
  readonly timeZone: string
}

/**
 * Returns what a vendor's archive contains. One that is not Oura's is read as WHOOP's, which has headers in any language.
 * @throws {UnreadableArchive} when the file is broken as a whole, also while its items are read
 */
export async function readVendorArchive(
  file: ArchiveFile,
  { isZip, now, timeZone }: ReadOptions,
): Promise<VendorArchive> {
  const entries = isZip ? await readZipEntries(file) : undefined
  const takeout = entries && takeoutFilesOf(entries)
  if (takeout)
    return {
      kind: "google_takeout",
      provider: "google_health",
      hasVendorIds: true,
      items: readTakeout(takeout, { now, timeZone }),
    }
  const garmin = entries && garminFilesOf(entries)
  if (garmin)
    return {
      kind: "garmin_archive",
      provider: "garmin",
      hasVendorIds: true,
      items: readGarminArchive(garmin, { now, timeZone }),
    }
  const apple = await appleFileAmong(entries ?? [appleFileOf(file)])
  if (apple)
    return {
      kind: "apple_archive",
      provider: "apple_health",
      hasVendorIds: true,
      items: readAppleArchive(apple, { now, timeZone }),
    }
  const files = entries ? tableFilesOf(file, entries) : [tableFileOf(file)]
  const tables: OuraTable[] = []
  const others: OtherFile[] = []
  for (const each of files) {
    const found = await ouraTableOf(each)
    if ("table" in found) tables.push(found)
    else others.push(found)
  }
  if (tables.length > 0)
    return { kind: "oura_archive", provider: "oura", hasVendorIds: true, items: readOuraArchive(tables, others, now) }
  const other = others.find(({ isOfOura }) => isOfOura)
  if (other) throw new UnreadableArchive(noHeader(other), { nextStep: "upload the whole zip file of Oura's export" })
  return { kind: "whoop_archive", provider: "whoop", hasVendorIds: false, items: await readWhoopArchive(files) }
}
