// Files beside those that are read: the report names each kind of them and its number, whatever the archive.
import { type ZipContent, zipOf } from "@restwell/simulator"
import { beforeAll, expect, test } from "vitest"
import { readZipEntries } from "../src/archive/zip-entries.ts"
import { type ArchiveItem, readVendorArchive } from "../src/index.ts"
import { simulatedArchives } from "./archive-files.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const UNREAD = "Files that Restwell does not read: "

let archives: Awaited<ReturnType<typeof simulatedArchives>>
beforeAll(async () => {
  archives = await simulatedArchives(5)
})

const fileOf = (bytes: Buffer) => ({
  name: "archive.zip",
  size: bytes.length,
  read: async (position: number, length: number) => bytes.subarray(position, position + length),
})

async function itemsOf(bytes: Buffer): Promise<ArchiveItem[]> {
  const archive = await readVendorArchive(fileOf(bytes), { isZip: true, now: NOW, timeZone: "Europe/Berlin" })
  return Array.fromAsync(archive.items)
}

/** The archive with more files. */
async function withFiles(bytes: Buffer, names: readonly string[]): Promise<Buffer> {
  const entries = await readZipEntries(fileOf(bytes))
  const files = await Promise.all(
    entries.map(
      async ({ name, open }): Promise<ZipContent> => ({
        name,
        bytes: Buffer.concat(await Array.fromAsync(await open())),
      }),
    ),
  )
  return zipOf([...files, ...names.map((name) => ({ name, bytes: Buffer.from("x") }))])
}

const unreadIn = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) =>
    item.type === "note" && item.note.startsWith(UNREAD) ? [item.note.slice(UNREAD.length)] : [],
  )

test.each([
  [
    "apple",
    [
      "apple_health_export/workout-routes/route_2026-11-02_7.12am.gpx",
      "apple_health_export/workout-routes/route_2026-11-03_11.40pm.gpx",
      "apple_health_export/electrocardiograms/ecg_2026-11-02.csv",
      "apple_health_export/clinical-records/Observation-0F0E0D0C-1234-4321-AAAA-0123456789AB.json",
    ],
    "Observation (1), ecg (1), export cda.xml (1), route.gpx (3)",
  ],
  ["whoop", ["README.txt", "Photos/1.jpg", "Photos/2.jpg"], "*.jpg (2), README.txt (1)"],
  ["oura", ["App Data/settings.json", "readme.txt"], "dailystress (1), readme.txt (1), session (1), settings (1)"],
  ["sleep_as_android", ["noise-1700000000.wav", "other.csv"], "alarms (1), noise.wav (1), other (1), prefs.xml (1)"],
  ["health_connect", ["readme.txt"], "readme.txt (1)"],
  [
    "gadgetbridge",
    ["files/AA_BB/ACTIVITY/2026/ACTIVITY_2026-11-02_10-00-00_7.fit", "files/AA_BB/SLEEP/2026/SLEEP_2.fit"],
    "ACTIVITY.fit (1), SLEEP.fit (1), device (1), gadgetbridge (1), global (1)",
  ],
  ["takeout", ["Takeout/archive_browser.html"], "archive browser.html (1)"],
  ["garmin", ["DI_CONNECT/photo_1.jpg"], expect.stringContaining("photo.jpg (1)")],
] as const)(
  "an archive of %s names the files that are not read, once, and gives the same",
  async (kind, names, said) => {
    const bytes = await withFiles(archives[kind], ["__MACOSX/._x.jpg", ...names])
    const items = await itemsOf(bytes)
    expect(unreadIn(items)).toEqual([said])
    const contentOf = (all: readonly ArchiveItem[]) => all.filter(({ type }) => type === "record" || type === "series")
    expect(contentOf(items)).toEqual(contentOf(await itemsOf(archives[kind])))
  },
)

test("a name that is no name, or very long, is shortened", async () => {
  const items = await itemsOf(
    await withFiles(archives.whoop, [`${"a".repeat(2_000)}\u{1f600}.bin`, "2026/17.bin", "NONE"]),
  )
  expect(unreadIn(items)).toEqual([expect.stringMatching(/^\*\.bin \(1\), NONE \(1\), a{50,120}.*\.bin \(1\)$/u)])
})
