/**
 * `npm run bench:imports`: time and memory of importing ten years of one person. `--kinds` chooses from:
 * - `apple`, `garmin`, `takeout` and `android`: large archives, uploaded to a service (bench/imports/large-imports.ts). Their sizes are options.
 * - `variants`: every variant of WHOOP's and Oura's archives, and Restwell's own export. Each import is a process of its own. Memory is its
 *   peak above that of an import of ten days.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { exportAccount, migrate, openDatabase, openPool } from "@restwell/core"
import { type OuraRecords, startOuraSimulator } from "@restwell/simulator"
import { type ArchiveVariant, HEADERS, ouraArchive, type Spelling, whoopArchive } from "@restwell/testing/archive"
import { startPostgres } from "@restwell/testing/database"
import { serviceEnvironment, spawnCommand } from "@restwell/testing/service"
import { createWorld, type World } from "@restwell/testing/world"
import { z } from "zod"
import { appleOf, garminOf, takeoutOf } from "./imports/big-archives.ts"
import { healthConnectOf } from "./imports/big-database.ts"
import { measureLarge } from "./imports/large-imports.ts"
import { print } from "./measuring/print.ts"
import { memoryOf } from "./measuring/process-memory.ts"
import { openBenchService } from "./targets/bench-service.ts"
import { printMachine } from "./targets/machine.ts"

const YEARS = 10
const DAYS = 365 * YEARS
const SHORT_DAYS = 10
const LOOK_EVERY_MS = 10
let people = 0

const OptionsSchema = z.object({
  kinds: z.string().transform((text) => text.split(",")),
  "apple-mb": z.coerce.number(),
  "apple-rows": z.coerce.number(),
  "garmin-mb": z.coerce.number(),
  "garmin-files": z.coerce.number(),
  "takeout-mb": z.coerce.number(),
  "android-rows": z.coerce.number(),
})
const { values } = parseArgs({
  options: {
    kinds: { type: "string", default: "apple,garmin,takeout,android,variants" },
    /** Of the XML file. */
    "apple-mb": { type: "string", default: "1000" },
    "apple-rows": { type: "string", default: "4000000" },
    /** Of the zip file. */
    "garmin-mb": { type: "string", default: "500" },
    /** FIT files. */
    "garmin-files": { type: "string", default: "10000" },
    /** Of the unpacked files. */
    "takeout-mb": { type: "string", default: "1000" },
    /** Of all tables of Health Connect's export. A million is about a hundred MB. */
    "android-rows": { type: "string", default: "2000000" },
  },
})
const options = OptionsSchema.parse(values)
const folder = await mkdtemp(join(tmpdir(), "restwell-imports-"))
try {
  await measureLargeOnes()
  if (options.kinds.includes("variants")) await measureVariants()
} finally {
  await rm(folder, { recursive: true })
}

async function measureLargeOnes(): Promise<void> {
  const ring = async () => {
    await using oura = await ringOf(new Date())
    return oura.records
  }
  const archives = {
    apple: async () => appleOf({ mb: options["apple-mb"], count: options["apple-rows"], days: DAYS }),
    garmin: async () => garminOf(await ring(), { mb: options["garmin-mb"], count: options["garmin-files"] }),
    takeout: async () => takeoutOf(await ring(), { mb: options["takeout-mb"] }),
    android: () => healthConnectOf({ count: options["android-rows"], days: DAYS, folder }),
  }
  const chosen = Object.entries(archives).filter(([kind]) => options.kinds.includes(kind))
  if (chosen.length === 0) return
  await using service = await openBenchService({ days: 365 })
  await printMachine(service.database)
  for (const [, make] of chosen) await measureLarge(service, folder, await make())
}

/** Ten years of a person with a ring. */
async function ringOf(now: Date): Promise<AsyncDisposable & { readonly records: OuraRecords }> {
  const oura = await startOuraSimulator({ seed: "imports", now, days: DAYS })
  const [person] = oura.people.list()
  if (!person) throw new Error("nobody at Oura")
  return { records: oura.records(person), [Symbol.asyncDispose]: () => oura.close() }
}

async function measureVariants(): Promise<void> {
  const postgres = await startPostgres()
  const pool = openPool({ ...postgres.connection, max: 4 }, () => {})
  await migrate(openDatabase(pool))
  const world = await createWorld({ days: DAYS, seed: "imports", pool })
  try {
    await measureAll(world)
  } finally {
    await world.close()
    await pool.end()
    await postgres.remove()
  }
}

async function measureAll(world: World): Promise<void> {
  const { simulator } = world
  const person = simulator.people.add({ email: "ten-years@vendor.example" })
  const newcomer = simulator.people.add({ email: "ten-days@vendor.example", days: SHORT_DAYS })
  const records = simulator.records(person)
  const idle = await measure(world, "ten days", whoopArchive(simulator.records(newcomer)))
  print(["archive", "MB", "s", "rows", "MB above idle"])
  const variants: readonly ArchiveVariant[] = Object.keys(HEADERS)
    .filter((name): name is Spelling => name in HEADERS)
    .flatMap((spelling): ArchiveVariant[] => [
      { spelling, encoding: "utf8" },
      { spelling, encoding: "utf16be", zone: "gmt", tail: "distance", lineEnd: "\r\n" },
    ])
  for (const variant of variants) {
    const archive = whoopArchive(records, variant)
    report(`${variant.spelling} ${variant.encoding}`, archive, await measure(world, "archive.zip", archive), idle)
  }
  await measureOura(world, idle)
  const pieces = await Array.fromAsync(exportAccount(world.context, "person-1"))
  const own = Buffer.from(pieces.join(""))
  report("Restwell's export", own, await measure(world, "export.json", own), idle)
}

async function measureOura(world: World, idle: Measured): Promise<void> {
  await using oura = await ringOf(world.simulator.clock.now())
  for (const delimiter of [";", ","] as const) {
    const archive = ouraArchive(oura.records, { delimiter })
    report(`Oura ${delimiter}`, archive, await measure(world, "oura.zip", archive), idle)
  }
}

interface Measured {
  readonly seconds: number
  readonly peakMegabytes: number
  readonly rows: number
}

function report(name: string, { length }: Buffer, { seconds, peakMegabytes, rows }: Measured, idle: Measured): void {
  print([name, (length / 1e6).toFixed(1), seconds.toFixed(1), rows, (peakMegabytes - idle.peakMegabytes).toFixed(0)])
}

async function measure(world: World, name: string, bytes: Buffer): Promise<Measured> {
  const id = `person-${people}`
  people += 1
  await world.addUser({ id, email: `${id}@example.com` })
  const file = join(folder, name)
  await writeFile(file, bytes)
  const began = performance.now()
  const child = spawnCommand(
    ["import", file, "--account", `${id}@example.com`, "--json", "--include-private"],
    serviceEnvironment(world.store, world.simulator),
  )
  let output = ""
  child.stdout?.on("data", (text) => {
    output += text
  })
  child.stderr?.on("data", (text) => process.stderr.write(text))
  let peakMegabytes = 0
  while (child.exitCode === null) {
    peakMegabytes = Math.max(peakMegabytes, (await memoryOf(child.pid, "VmHWM")) ?? 0)
    await wait(LOOK_EVERY_MS)
  }
  const seconds = (performance.now() - began) / 1000
  const { stored, unchanged } = JSON.parse(output.trim().split("\n").at(-1) ?? "{}")
  return { seconds, peakMegabytes, rows: stored + unchanged }
}
