// The keys of devices lie in Gadgetbridge's preferences. No byte of them is read, whatever else the archive has.
import { deflateRawSync } from "node:zlib"
import { type ZipContent, zipOf } from "@restwell/simulator"
import { beforeAll, expect, test } from "vitest"
import { readZipEntries } from "../src/archive/zip-entries.ts"
import { readVendorArchive } from "../src/index.ts"
import { simulatedArchives } from "./archive-files.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const KEYS = [
  "preferences/device_AA:BB:CC:DD:EE:FF.json",
  "preferences/device_AA_BB_CC_DD_EE_FE.json",
  "Export/preferences/global.json",
  "./preferences/device.xml",
  "preferences/device",
  "preferences/keys.csv",
  "device_aabbccddeeff.json",
].map((name) => ({ name, bytes: Buffer.from(`{"authkey":"of ${name}"}\n`) }))

let archives: Awaited<ReturnType<typeof simulatedArchives>>
beforeAll(async () => {
  archives = await simulatedArchives(5)
})

/** An upload whose members with keys cannot be opened unseen. */
function fileOf(bytes: Buffer, name = "archive.zip") {
  const starts = KEYS.map((key) => bytes.indexOf(deflateRawSync(key.bytes))).filter((start) => start >= 0)
  const opened: number[] = []
  return {
    opened,
    name,
    size: bytes.length,
    async read(position: number, length: number) {
      if (starts.includes(position)) opened.push(position)
      return bytes.subarray(position, position + length)
    },
  }
}

const filesIn = async (bytes: Buffer): Promise<ZipContent[]> =>
  Promise.all(
    (await readZipEntries(fileOf(bytes))).map(async ({ name, open }) => ({
      name,
      bytes: Buffer.concat(await Array.fromAsync(await open())),
    })),
  )

const OPTIONS = { isZip: true, now: NOW, timeZone: "UTC" }

test.each(["gadgetbridge", "garmin", "whoop", "oura", "apple", "sleep_as_android"] as const)(
  "beside what is read of an archive of %s they are not opened",
  async (kind) => {
    const file = fileOf(zipOf([...KEYS, ...(await filesIn(archives[kind]))]))
    const archive = await readVendorArchive(file, OPTIONS)
    expect((await Array.fromAsync(archive.items)).filter(({ type }) => type === "record").length).toBeGreaterThan(3)
    expect(file.opened).toEqual([])
  },
)

test("alone, or beside a database that is damaged, they are not opened either, and no refusal says them", async () => {
  const damaged = { name: "database/Gadgetbridge", bytes: Buffer.from("SQLite format 3\0 and nothing more") }
  for (const files of [KEYS, [...KEYS, damaged]]) {
    const file = fileOf(zipOf(files))
    const reading = readVendorArchive(file, OPTIONS)
    await expect(reading).rejects.toThrow(/^(?!.*authkey)/)
    expect(file.opened).toEqual([])
  }
  const [key] = KEYS
  const lone = fileOf(key?.bytes ?? Buffer.alloc(0), "device_AA_BB_CC_DD_EE_FF.json")
  await expect(readVendorArchive(lone, { ...OPTIONS, isZip: false })).rejects.toThrow(/^(?!.*authkey)/)
})
