/** What a node with all these people does beside single operations: mornings, a backup, and a week of changes with its vacuum. */
import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { runCommand } from "@restwell/testing/service"
import { shuffled } from "../growth/read-medians.ts"
import { figuresOf } from "../measuring/compare.ts"
import { interruption } from "../measuring/interruption.ts"
import { openTable } from "../measuring/table.ts"
import type { ActivePerson } from "./active-people.ts"
import type { Deployment } from "./deployment.ts"
import { morning } from "./morning.ts"
import { foldWeek, simulateWeek, tableSizes } from "./simulated-week.ts"

const MB = 1e6
/** Parts of the people who have a morning, until one does not keep up. */
const PARTS = [0.02, 0.05, 0.1, 0.2, 0.5, 1]
/** More than each pushes in a morning. */
const HOURS_APART = 200

export async function printNode(
  deployment: Deployment,
  people: number,
  synced: readonly ActivePerson[],
): Promise<void> {
  await printMornings(deployment, people, synced)
  await printBackup(deployment)
  await printWeek(deployment)
}

async function printMornings(deployment: Deployment, people: number, synced: readonly ActivePerson[]): Promise<void> {
  // Data that a read finds old enough would start a sync, which the copies of people cannot have.
  await deployment.pool.query("update restwell.connection set last_synced_at = now() where user_id not like 'active-%'")
  const readers = shuffled(Array.from({ length: people }, (_, number) => number)).values()
  const row = openTable("The busiest hour of a morning, for 30 s", [
    "people",
    "reads",
    "p50 ms",
    "p99 ms",
    "nights, syncs, pushes",
    "s until all is stored",
    "kept up",
  ])
  for (const [index, part] of PARTS.entries()) {
    interruption.throwIfAborted()
    const options = { people: people * part, synced, readers, firstHour: HOURS_APART * (index + 1) }
    const { readsMs, others, lagMs, keptUp } = await morning(deployment, options)
    const { p50Ms, p99Ms } = figuresOf([{ elapsedMs: 1, timesMs: readsMs }])
    const cells = [p50Ms.toFixed(1), p99Ms.toFixed(1), others, (lagMs / 1_000).toFixed(1), keptUp ? "yes" : "no"]
    row([people * part, readsMs.length, ...cells])
    if (!keptUp) return
  }
}

async function printBackup({ folder, environment }: Deployment): Promise<void> {
  const file = join(folder, "restwell.backup")
  const startedAt = performance.now()
  const { code, output } = await runCommand(["backup", file], environment)
  if (code !== 0) throw new Error(`the backup failed: ${output}`)
  const seconds = (performance.now() - startedAt) / 1_000
  const { size } = await stat(file)
  await rm(file)
  process.stdout.write(`\nA backup of all took ${seconds.toFixed(0)} s and has ${(size / MB).toFixed(0)} MB.\n`)
}

async function printWeek({ pool, world }: Deployment): Promise<void> {
  const before = await tableSizes(pool)
  const tables = [...before.keys()]
  const row = openTable("A week of all people, with a vacuum each day", [
    "day",
    "s to write",
    "s of vacuum",
    ...tables.map((table) => `${table} MB`),
    "log entries",
  ])
  const sizes = (megabytes: ReadonlyMap<string, number>) =>
    tables.map((table) => (megabytes.get(table) ?? Number.NaN).toFixed(1))
  row(["before", "", "", ...sizes(before), ""])
  let day = 0
  for await (const { writtenMs, vacuumMs, megabytes, logEntries } of simulateWeek(pool)) {
    day += 1
    row([day, seconds(writtenMs), seconds(vacuumMs), ...sizes(megabytes), logEntries])
  }
  const { ms, entries } = await foldWeek(pool, world.context)
  process.stdout.write(
    `\nMaking one entry of equal reads of the week took ${seconds(ms)} s and left ${entries} entries.\n`,
  )
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1)
