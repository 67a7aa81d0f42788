import { once } from "node:events"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { createTestDatabase, makeFolder, type TestDatabase } from "@restwell/testing/database"
import { runCommand, spawnCommand } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { fillPopulation } from "../../bench/population/fill-population.ts"
import { mountSmallDisk } from "../whole/small-disk.ts"
import { externalPlace } from "./places.ts"
import { killBackups, killRestores, type Place, timeCommand } from "./survive-kills.ts"

const LOOK_AGAIN_MS = 2
/** `npm run test:backup` has twenty of each. */
const KILLS = 4

let folder: string
let place: Place
let store: TestDatabase
beforeAll(async () => {
  folder = await makeFolder("kills")
  store = await createTestDatabase()
  place = externalPlace(store)
  await timeCommand(["backup", join(folder, "empty.backup")], place)
  const cohorts = [{ first: 0, people: 40, days: 30 }]
  await fillPopulation({ connection: store.connection, cohorts, templates: 2 })
  await timeCommand(["backup", join(folder, "people.backup")], place)
})
afterAll(async () => {
  await store.drop()
  await rm(folder, { recursive: true })
})

test(`kill -9 at ${KILLS} moments of a backup leaves a whole file or none`, async () => {
  await killBackups({ place, folder, count: KILLS })
})

test(`kill -9 at ${KILLS} moments of a restore leaves the old data or the new`, async () => {
  const backups = [join(folder, "empty.backup"), join(folder, "people.backup")] as const
  await killRestores({ place, folder, count: KILLS }, backups)
})

// On a busy machine the command may end before its commit is seen.
test("kill -9 of a restore whose commit the database has begun leaves the new data", { retry: 3 }, async () => {
  const people = join(folder, "people.backup")
  await timeCommand(["restore", people, "--replace"], place)
  const stored = await place.readState()
  await timeCommand(["restore", join(folder, "empty.backup"), "--replace"], place)
  const child = spawnCommand(["restore", people, "--replace"], place.environment, { stdio: "ignore" })
  const ended = once(child, "close")
  const session = `select state from pg_stat_activity where datname = current_database() and application_name = 'restwell'`
  const commits = async () => (await store.pool.query(`${session} and query = 'commit'`)).rows.length > 0
  while (child.exitCode === null && !(await commits())) await wait(LOOK_AGAIN_MS)
  child.kill("SIGKILL")
  await ended
  expect(child.signalCode).toBe("SIGKILL")
  await expect.poll(async () => (await store.pool.query(session)).rows).toEqual([])
  expect(await place.readState()).toEqual(stored)
})

test("a backup that is interrupted leaves no file", async () => {
  const child = spawnCommand(["backup", join(folder, "interrupted.backup")], place.environment)
  const ended = once(child, "close")
  while (!(await readdir(folder)).some((name) => name.startsWith("interrupted"))) await wait(LOOK_AGAIN_MS)
  child.kill("SIGTERM")
  const [code] = await ended
  const left = (await readdir(folder)).filter((name) => name.startsWith("interrupted"))
  // The signal may come when the file is complete.
  expect([code, left]).toEqual(code === 0 ? [0, ["interrupted.backup"]] : [1, []])
})

test("refuses an empty folder, an existing file and a folder that is not there, before it does anything", async () => {
  const dataDir = join(folder, "none")
  for (const [commandLine, message] of [
    [
      ["backup", join(folder, "x.backup")],
      /^restwell: there is no Restwell in .*none: use --data-dir, set DATA_DIR or DATABASE_URL/,
    ],
    [["backup", join(folder, "no", "x.backup")], /^restwell: there is no (?:Restwell|folder)/],
    [
      ["restore", join(folder, "x.backup")],
      /^restwell: .*x\.backup cannot be read \(ENOENT\)\. Nothing was changed\n$/,
    ],
  ] as const) {
    // Where no demo is: the message would name it.
    const { code, output } = await runCommand(commandLine, { DATA_DIR: dataDir }, { cwd: folder })
    expect([code, output]).toEqual([1, expect.stringMatching(message)])
  }
  expect(await readdir(folder)).not.toContain("none")
  const { output } = await runCommand(["backup", join(folder, "empty.backup")], place.environment)
  expect(output).toMatch(/exists already: choose another name, or delete it first\n$/)
})

test("says that a disk is full, and leaves no file there", async ({ skip }) => {
  const disk = await mountSmallDisk(1)
  if (typeof disk === "string") return skip(disk)
  try {
    await disk.fill()
    const { code, output } = await runCommand(["backup", disk.directory], place.environment)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^restwell: .*\.backup cannot be written: its disk is full: free some space\n$/),
    ])
    expect(await readdir(disk.directory)).toEqual(["ballast"])
  } finally {
    await disk.remove()
  }
})
