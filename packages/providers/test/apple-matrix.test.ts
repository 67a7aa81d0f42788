// Each type of row in Apple Health's export, and each attribute of it, is broken in turn: what is beside it is read, and the report names it.
import { createHash } from "node:crypto"
import { zipOf } from "@restwell/simulator"
import { beforeAll, expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { archiveFiles, type Files, readFiles, saidIn, contentOf as textsOf } from "./archive-files.ts"

/** Days of which rows are read. More of them show nothing more. */
const SINCE = "2026-11-16"

let files: Files
let lines: readonly string[]
beforeAll(async () => {
  files = (await archiveFiles()).apple
  const xml = files.find(({ name }) => name.endsWith("/export.xml"))?.bytes.toString() ?? ""
  lines = xml
    .split("\n")
    .filter((line) => (/ startDate="([^"]*)"/.exec(line)?.[1] ?? SINCE) >= SINCE)
    // Which zone a row names decides about the dates of others.
    .map((line) => line.replaceAll(/<MetadataEntry key="HKTimeZone"[^>]*>/g, ""))
})

/** What was read, in short texts. */
const contentOf = (items: readonly ArchiveItem[]): string[] =>
  textsOf(items).map((text) => `${text.slice(0, 120)} ${createHash("sha256").update(text).digest("hex").slice(0, 12)}`)

const typeOf = (line: string): string | undefined =>
  /^\s*<Record type="HK\w+TypeIdentifier(\w+)"/.exec(line)?.[1] ?? /^\s*<(Workout) /.exec(line)?.[1]
const attributesOf = (line: string): string[] => [...line.matchAll(/ (\w+)="/g)].map(([, name = ""]) => name)

const exportOf = (changed: readonly string[]): Files =>
  files.map((file) => (file.name.endsWith("/export.xml") ? { ...file, bytes: Buffer.from(changed.join("\n")) } : file))
const read = (changed: readonly string[]) => readFiles(exportOf(changed))
const withType = (type: string, change: (line: string) => readonly string[]): readonly string[] =>
  lines.flatMap((line) => (typeOf(line) === type ? change(line) : [line]))

const TYPES = ["SleepAnalysis", "StepCount", "ActiveEnergyBurned", "HeartRate", "HeartRateVariabilitySDNN", "Workout"]
const FAULTS: Readonly<Record<string, (line: string) => string>> = {
  "values that are none": (line) => line.replace(/ value="[^"]*"/, ' value="many"'),
  "dates that are none": (line) => line.replace(/ startDate="[^"]*"/, ' startDate="yesterday"'),
  "days that no month has": (line) => line.replace(/ endDate="\d{4}-\d\d-\d\d/, ' endDate="2026-02-30'),
  "a type of the future": (line) => line.replace(/TypeIdentifier\w+/, "TypeIdentifierTomorrow"),
}

test.each(TYPES)("rows of %s that are all broken cost themselves alone", async (type) => {
  const whole = contentOf(await read(lines))
  const beside = contentOf(await read(withType(type, () => [])))
  expect(beside).not.toEqual(whole)
  for (const [fault, change] of Object.entries(FAULTS)) {
    const items = await read(withType(type, (line) => [change(line)]))
    // A workout has no value, and its type is in another attribute.
    const isHit = type !== "Workout" || fault.includes("da")
    expect(contentOf(items), fault).toEqual(isHit ? beside : whole)
    if (isHit) expect(saidIn(items), fault).toContain(fault.includes("future") ? "Tomorrow" : type)
  }
})

test.each(TYPES)("an attribute that all rows of %s lack costs nothing beside them, and is named", async (type) => {
  const whole = contentOf(await read(lines))
  const beside = contentOf(await read(withType(type, () => [])))
  const known = new Set(lines.filter((line) => typeOf(line) === type).flatMap(attributesOf))
  for (const attribute of known) {
    const without = new RegExp(` ${attribute}="[^"]*"`)
    const items = await read(withType(type, (line) => [line.replace(without, "")]))
    const content = contentOf(items)
    if (saidIn(items).includes(`${type}: `)) expect(content, attribute).toEqual(beside)
    else if (!FIGURES.has(attribute)) expect(content, attribute).toEqual(whole)
    expect(content.length, attribute).toBeGreaterThanOrEqual(beside.length)
  }
})

/** What a record has less of without them. A device that is not named is told by its name. */
const FIGURES: ReadonlySet<string> = new Set([
  ...["type", "device", "duration", "totalEnergyBurned", "totalDistance", "workoutActivityType"],
  ...["durationUnit", "totalEnergyBurnedUnit", "totalDistanceUnit"],
])

test("a row that is no XML costs itself and at most its neighbour", async () => {
  const at = lines.findIndex((line) => typeOf(line) === "HeartRate") + 20
  const whole = contentOf(await read(lines))
  const harmless = [
    ' <Record type="a&nothing;b" value="&"/>',
    " stray & text",
    "\u0001",
    ' <Record type="x">',
    "</Stray>",
  ]
  for (const extra of harmless) expect(contentOf(await read(lines.toSpliced(at, 0, extra))), extra).toEqual(whole)
  const samplesOf = (items: readonly ArchiveItem[]) =>
    (
      textsOf(items)
        .join()
        .match(/"atMs"/g) ?? []
    ).length
  const open = lines.map((line, index) => (index === at ? line.replace(/ value="([^"]*)"/, ' value="$1') : line))
  expect(samplesOf(await read(lines)) - samplesOf(await read(open))).toBeLessThanOrEqual(2)
})

test("files beside Apple's export may be empty, cut or anything", async () => {
  const whole = contentOf(await read(lines))
  const others = exportOf(lines).filter(({ name }) => !name.endsWith("/export.xml"))
  expect(others.length).toBeGreaterThan(1)
  for (const { name } of others)
    for (const bytes of [Buffer.alloc(0), Buffer.from("<HealthDat"), Buffer.alloc(3_000, 0xff), zipOf([])]) {
      const broken = exportOf(lines).map((file) => (file.name === name ? { ...file, bytes } : file))
      expect(contentOf(await readFiles(broken)), name).toEqual(whole)
    }
})
