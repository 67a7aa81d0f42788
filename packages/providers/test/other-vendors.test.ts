// Files that are not read are refused with whose they are, and nobody is sent for the same file again.
import { gzipSync } from "node:zlib"
import { zipOf } from "@restwell/simulator"
import { expect, test } from "vitest"
import { refuseForeignFile } from "../src/index.ts"
import { readBytes, saidIn } from "./archive-files.ts"

const zip = (files: Readonly<Record<string, string>>): Buffer =>
  zipOf(Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })))

const ARCHIVES: readonly (readonly [vendor: string, files: Readonly<Record<string, string>>])[] = [
  ["Google Fit", { "Takeout/Fit/Daily activity metrics/2025-01-01.csv": "Start time,End time,Step count\n" }],
  ["Google Fit", { "2025-01-01.csv": "Start time,End time,Move Minutes count,Step count\n00:00,00:15,1,30\n" }],
  [
    "Withings",
    { "sleep.csv": "from,to,light (s),deep (s)\n2025-01-01T23:00:00+01:00,2025-01-02T06:00:00+01:00,1,2\n" },
  ],
  ["Withings", { "raw_hr_hr.csv": "start,duration,value\n2025-01-01T23:00:00+01:00,[60],[61]\n" }],
  ["Strava", { "activities.csv": "Activity ID,Activity Date,Activity Name\n1,2025,Run\n", "activities/1.fit.gz": "x" }],
  ["Strava", { "activities/1.fit": "x", "activities/2.fit": "x" }],
  [
    "Samsung Health",
    { "com.samsung.shealth.sleep.202501011200.csv": "com.samsung.shealth.sleep,6313004,5\nstart_time,\n" },
  ],
  ["Polar", { "training-session-2025-01-01-123-abc.json": "{}", "activity-2025-01-01-abc.json": "{}" }],
  ["Zepp", { "SLEEP/SLEEP_1700000000000.csv": "date,deepSleepTime,shallowSleepTime\n2025-01-01,60,300\n" }],
]

test.each(ARCHIVES)("an export of %s is refused by its name", async (vendor, files) => {
  const refused = readBytes(zip(files))
  await expect(refused).rejects.toThrow(
    new RegExp(`is an export of ${vendor}.*, which Restwell does not read, upload an export of WHOOP`),
  )
  await expect(refused).rejects.not.toThrow(/as it was sent|get a new one|WHOOP's export/)
})

test.each([
  [
    "samsunghealth_lena/com.samsung.shealth.sleep.1.csv",
    /of Samsung Health, which .*, or let its app write to Health Connect/,
  ],
  [
    "SLEEP/SLEEP_1700000000000.csv",
    /of Zepp .*Health Connect.*, or read the band with Gadgetbridge and upload its export/,
  ],
  ["HUAWEI_HEALTH_1/health detail data.json", /of Huawei Health, which .*, or read the band with Gadgetbridge/],
])("%s is refused with what works instead, with a password too", async (name, words) => {
  const plain = zip({ [name]: "x" })
  await expect(readBytes(plain)).rejects.toThrow(words)
  const locked = Buffer.from(plain)
  // General purpose flags of the entry in the directory. APPNOTE.TXT 4.3.12
  locked.writeUInt16LE(1, locked.readUInt32LE(locked.lastIndexOf(Buffer.from("PK\x05\x06", "latin1")) + 16) + 8)
  await expect(readBytes(locked)).rejects.toThrow(words)
})

test("tables that nobody knows are refused with their header and what is read", async () => {
  const text = "Id,start_time,end_time,stage,score\n1,2022-11-01 23:00,2022-11-01 23:30,40002,\n"
  const refused = readBytes(Buffer.from(text), { name: "sleep.csv", isZip: false })
  await expect(refused).rejects.toThrow(
    /^sleep\.csv is no export that Restwell reads\. Its first line, "Id,start_time.*", names no table that is known here, upload an export of WHOOP, Oura/,
  )
  await expect(readBytes(zip({ "sleep.csv": text }))).rejects.not.toThrow(/WHOOP's|Oura's/)
  await expect(readBytes(zip({ "photo.jpg": "x" }))).rejects.toThrow(
    /has no file that is known here, upload an export of/,
  )
  await expect(readBytes(zip({ "export.zip": "x" }))).rejects.toThrow(/another zip file inside, unpack it once/)
})

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
test.each([
  [
    "an archive that is packed as .tgz",
    gzipSync(Buffer.from("x".repeat(600))),
    /is a \.gz or \.tgz file, unpack it.*Google Takeout/,
  ],
  ["a .tar file", Buffer.from(`${"a".repeat(257)}ustar  `), /is a \.tar file, unpack it/],
  ["a .7z file", Buffer.from("7z\xbc\xaf\x27\x1c\0", "latin1"), /is a \.7z file/],
  ["a recording", Buffer.from("\x0e\x10\0\0\0\0\0\0.FIT", "latin1"), /is a single recording \(\.fit\)/],
  [
    "a part of Apple's export",
    Buffer.from('<Record type="HKCategoryTypeIdentifierSleepAnalysis"/>'),
    /a part of Apple Health's export, upload the whole/,
  ],
  ["the same in UTF-16", Buffer.from('\ufeff<Record type="HK"/>', "utf16le"), /a part of Apple Health's export/],
  [
    "the clinical part",
    Buffer.from(`${XML}<ClinicalDocument xmlns="x">`),
    /the clinical part of Apple Health's export/,
  ],
  ["a route", Buffer.from(`${XML}<gpx version="1.1">`), /is a route \(\.gpx\)/],
])("%s is refused as what it is", (_, bytes, words) => {
  expect(() => refuseForeignFile("file", bytes)).toThrow(words)
})

test.each([
  ["Apple Health's export", `${XML}<!DOCTYPE HealthData [\n<!ELEMENT HealthData (Record)>\n]>\n<HealthData>`],
  ["a table", "Cycle start time,Cycle end time\n"],
])("%s is not refused by its first bytes", (_, text) => {
  expect(() => refuseForeignFile("file", Buffer.from(text))).not.toThrow()
})

test.each([
  ["Garmin", { "DI_CONNECT/DI-Connect-Golf/x.json": "[]" }, "x (1)"],
  ["Google Takeout", { "Takeout/Fitbit/Global Export Data/food_logs-0.json": "[]" }, "food logs (1)"],
])("an archive of %s of which nothing is read says so", async (_, files, named) => {
  const said = saidIn(await readBytes(zip(files)))
  expect(said).toContain(`Files that Restwell does not read: ${named}`)
  expect(said).toContain("Nothing of this archive was read")
})
