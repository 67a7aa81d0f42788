// Archives of all vendors as files that a test may break, and what reading them gives.
import { startOuraSimulator, startSimulator, type ZipContent, zipOf } from "@restwell/simulator"
import { archivesOf } from "@restwell/testing/archive"
import { readZipEntries } from "../src/archive/zip-entries.ts"
import { type ArchiveItem, readVendorArchive } from "../src/index.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const DAYS = 12
const MOST_ROWS = 200

export type Kind = "whoop" | "oura" | "garmin" | "takeout" | "apple"
export type Files = readonly ZipContent[]

const fileOf = (bytes: Buffer, name = "archive.zip") => ({
  name,
  size: bytes.length,
  read: async (position: number, length: number) => bytes.subarray(position, position + length),
})

async function filesIn(bytes: Buffer): Promise<Files> {
  const entries = await readZipEntries(fileOf(bytes))
  return Promise.all(
    entries.map(async ({ name, open }) => ({
      name,
      bytes: firstRows(name, Buffer.concat(await Array.fromAsync(await open()))),
    })),
  )
}

/** Thousands of samples show nothing more than the first of them. */
function firstRows(name: string, bytes: Buffer): Buffer {
  if (!name.endsWith(".csv")) return bytes
  const lines = bytes.toString().split("\n")
  return lines.length > MOST_ROWS ? Buffer.from(`${lines.slice(0, MOST_ROWS).join("\n")}\n`) : bytes
}

/** The archives of one simulated person, who wears a band and a ring. */
export async function simulatedArchives(days: number): Promise<ReturnType<typeof archivesOf>> {
  const whoop = await startSimulator({ seed: 7, now: NOW, days })
  const oura = await startOuraSimulator({ seed: 7, now: NOW, days })
  try {
    const [band, ring] = [whoop.people.add({ email: "lena@vendor.example" }), oura.people.list()[0]]
    if (!ring) throw new Error("nobody at Oura")
    return archivesOf(whoop.records(band), oura.records(ring))
  } finally {
    await Promise.all([whoop.close(), oura.close()])
  }
}

/** The files in them. */
export async function archiveFiles(): Promise<Readonly<Record<Kind, Files>>> {
  const archives = await simulatedArchives(DAYS)
  return {
    whoop: await filesIn(archives.whoop),
    oura: await filesIn(archives.oura),
    garmin: await filesIn(archives.garmin),
    takeout: await filesIn(archives.takeout),
    apple: await filesIn(archives.apple),
  }
}

export async function readBytes(bytes: Buffer, { name = "archive.zip", isZip = true } = {}): Promise<ArchiveItem[]> {
  const archive = await readVendorArchive(fileOf(bytes, name), { isZip, now: NOW, timeZone: "Europe/Berlin" })
  return Array.fromAsync(archive.items)
}
export const readFiles = (files: Files) => readBytes(zipOf(files))

/** What was read, without what the report says. */
export const contentOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => {
    if (item.type === "record")
      return [JSON.stringify({ ...item.archived, record: { ...item.archived.record, raw: null } })]
    if (item.type === "journal") return [JSON.stringify(item.answer)]
    return item.type === "series" ? [JSON.stringify(item.set)] : []
  })

/** The records and answers that were read, by what identifies them. A recovery has the id of the document that it is made of. */
export const keysOf = (items: readonly ArchiveItem[]): string[] =>
  items.flatMap((item) => {
    if (item.type === "record") {
      const { record, date } = item.archived
      return [`${record.kind}/${record.kind === "recovery" ? date : record.providerId}`]
    }
    return item.type === "journal"
      ? [`journal/${item.answer.cycleStartedAt.toISOString()}/${item.answer.question}`]
      : []
  })

/** What the report says, in one text. */
export const saidIn = (items: readonly ArchiveItem[]): string =>
  items
    .flatMap((item) => (item.type === "ignored" ? [item.reason] : item.type === "note" ? [item.note] : []))
    .join("\n")
