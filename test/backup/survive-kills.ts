/** `kill -9` of `restwell backup` and `restwell restore` at moments that are spread over their run. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { verifyBackup } from "@restwell/core"
import { runCommand, spawnCommand } from "@restwell/testing/service"
import { expect } from "vitest"

/** Where a service has its data, and how to see them while no service runs. */
export interface Place {
  readonly environment: Readonly<Record<string, string>>
  readState(): Promise<Record<string, string>>
}

export interface Kills {
  readonly place: Place
  readonly folder: string
  /** Kills of each command. */
  readonly count: number
}

/** Runs a command to its end, which must succeed. @returns how long it took */
export async function timeCommand(commandLine: readonly string[], { environment }: Place): Promise<number> {
  const startedAt = performance.now()
  const { code, output } = await runCommand(commandLine, environment)
  expect(code, output).toBe(0)
  return performance.now() - startedAt
}

/** Kills `restwell backup`: there is a whole file, or none. @returns how many files were whole */
export async function killBackups({ place, folder, count }: Kills): Promise<number> {
  const before = await place.readState()
  const durationMs = await timeCommand(["backup", join(folder, "measured.backup")], place)
  let whole = 0
  for (let kill = 0; kill < count; kill += 1) {
    const path = join(folder, `killed-${kill}.backup`)
    await killAfter(["backup", path], place, momentOf(kill, count, durationMs))
    if (!existsSync(path)) continue
    await verifyBackup(path)
    whole += 1
    await rm(path)
  }
  expect(await place.readState()).toEqual(before)
  return whole
}

/**
 * Kills `restwell restore --replace` of one backup after the other: the data are those before or those of the backup.
 * @param backups two files of different data. The place has those of the first
 * @returns how many restores were complete
 */
export async function killRestores({ place, count }: Kills, backups: readonly [string, string]): Promise<number> {
  await timeCommand(["restore", backups[0], "--replace"], place)
  const first = await place.readState()
  const durationMs = await timeCommand(["restore", backups[1], "--replace"], place)
  const states = [first, await place.readState()] as const
  expect(states[0]).not.toEqual(states[1])
  let current = 1
  let restored = 0
  for (let kill = 0; kill < count; kill += 1) {
    const next = 1 - current
    await killAfter(["restore", backups[next] ?? "", "--replace"], place, momentOf(kill, count, durationMs))
    const state = await place.readState()
    if (state["record"] === states[next]?.["record"]) {
      current = next
      restored += 1
    }
    expect(state).toEqual(states[current])
  }
  return restored
}

/** The moments cover the whole run and more: a run may take longer than the one that was measured. */
const momentOf = (kill: number, count: number, durationMs: number): number => ((kill + 0.5) / count) * durationMs * 1.3

async function killAfter(commandLine: readonly string[], { environment }: Place, milliseconds: number): Promise<void> {
  const child = spawnCommand(commandLine, environment, { stdio: "ignore" })
  const ended = once(child, "close")
  await Promise.race([wait(milliseconds), ended])
  child.kill("SIGKILL")
  await ended
}
