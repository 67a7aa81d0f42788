/** `kill -9` of `restwell backup` and `restwell restore` at moments that are spread over their run. */
import { once } from "node:events"
import { existsSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
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

/** What kills of a command left behind. */
export interface Left {
  /** Kills after which everything was as before the command. */
  readonly before: number
  /** Kills after which everything was as after the command. */
  readonly after: number
  /** Kills that came while a backup had a part of its file. */
  readonly unfinished: number
  /** Kills that came after the command had ended by itself. */
  readonly late: number
}

/** Kills `restwell backup`: there is a whole file, or none. */
export async function killBackups({ place, folder, count }: Kills): Promise<Left> {
  const before = await place.readState()
  const moments = new Moments(count, await timeCommand(["backup", join(folder, "measured.backup")], place))
  let [after, unfinished] = [0, 0]
  for (let kill = 0; kill < count; kill += 1) {
    const path = join(folder, `killed-${kill}.backup`)
    await moments.kill(["backup", path], place)
    const left = (await readdir(folder)).filter((name) => name.startsWith(`killed-${kill}.`))
    if (left.some((name) => name.endsWith(".partial"))) unfinished += 1
    for (const name of left) if (name.endsWith(".partial")) await rm(join(folder, name))
    if (!existsSync(path)) continue
    await verifyBackup(path)
    after += 1
    await rm(path)
  }
  expect(await place.readState()).toEqual(before)
  return { before: count - after, after, unfinished, late: moments.late }
}

/**
 * Kills `restwell restore --replace` of one backup after the other: the data are those before or those of the backup.
 * @param backups two files of different data. The place has those of the first
 */
export async function killRestores({ place, count }: Kills, backups: readonly [string, string]): Promise<Left> {
  await timeCommand(["restore", backups[0], "--replace"], place)
  const first = await place.readState()
  const moments = new Moments(count, await timeCommand(["restore", backups[1], "--replace"], place))
  const states = [first, await place.readState()] as const
  expect(states[0]).not.toEqual(states[1])
  let current = 1
  let after = 0
  for (let kill = 0; kill < count; kill += 1) {
    const next = 1 - current
    await moments.kill(["restore", backups[next] ?? "", "--replace"], place)
    const state = await place.readState()
    if (state["record"] === states[next]?.["record"]) {
      current = next
      after += 1
    }
    expect(state).toEqual(states[current])
  }
  return { before: count - after, after, unfinished: 0, late: moments.late }
}

/** Where the last phase begins: the file gets its name, or the transaction commits. */
const LAST_PHASE = 0.9
const LATEST = 1.1

/** Moments of a command's run: every other one is in its last phase, the others cover all of it. */
class Moments {
  readonly #count: number
  #durationMs: number
  #next = 0
  /** Commands that had ended before their moment. */
  late = 0

  constructor(count: number, durationMs: number) {
    this.#count = count
    this.#durationMs = durationMs
  }

  async kill(commandLine: readonly string[], { environment }: Place): Promise<void> {
    const startedAt = performance.now()
    const child = spawnCommand(commandLine, environment, { stdio: "ignore" })
    const ended = once(child, "close")
    const momentMs = this.#takeNext()
    await Promise.race([wait(momentMs), ended])
    const hasEnded = child.exitCode !== null
    if (hasEnded) {
      expect(child.exitCode).toBe(0)
      this.late += 1
    }
    // A run takes more or less than the one that was measured, because the machine has other work too.
    this.#durationMs = hasEnded ? performance.now() - startedAt : Math.max(this.#durationMs, momentMs)
    child.kill("SIGKILL")
    await ended
  }

  #takeNext(): number {
    const share = (this.#next + 0.5) / this.#count
    const isLastPhase = this.#next % 2 === 1
    this.#next += 1
    return this.#durationMs * (isLastPhase ? LAST_PHASE + share * (LATEST - LAST_PHASE) : share)
  }
}
