/** Runs a program that ends soon after this process does, however this process ends. */
import { type ChildProcess, type ExecFileOptions, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { setImmediate as immediate } from "node:timers/promises"

/** initdb needs it as well. */
export const SHELL = "/bin/sh"

/**
 * Runs its arguments as a program. Its standard input is a pipe from Restwell, which the system closes when Restwell ends. The program is then
 * interrupted (SIGINT, a fast shutdown), aborted after 30 seconds (SIGQUIT), and killed after 10 more. The signals are repeated, because a
 * program that has just begun may miss one. The shell itself ends with the program, and no signal but SIGKILL ends it before.
 * @see https://www.postgresql.org/docs/18/server-shutdown.html
 */
const GUARD = `
trap '' HUP INT QUIT TERM
exec 4<&0 </dev/null
"$@" 3>&- 4<&- &
program=$!
echo "$program" >&3
exec 3>&-
ask() {
  tries=$2
  while [ "$tries" -gt 0 ]; do
    kill -s "$1" "$program" || exit
    sleep 0.2 || sleep 1
    tries=$((tries - 1))
  done
}
(
  exec >/dev/null 2>&1
  cd /
  while read -r _ <&4; do :; done
  ask INT 150
  ask QUIT 50
  ask KILL 1
) &
guard=$!
wait "$program"
code=$?
kill -s KILL "$guard"
exit "$code"
`

/** Descriptor by which a program gets an open folder. The guard itself uses those below. */
export const FOLDER_DESCRIPTOR = 5

/** A program with its guard. */
export interface GuardedProcess {
  /** The program's own process, which the guard is the parent of. */
  readonly pid: number
  readonly isRunning: () => boolean
  /** Resolves with the exit code, which is above 128 if a signal ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  /** It keeps this process from ending no longer. */
  unref(): void
  /** Ends the program as if this process had ended, and waits for it. */
  stop(): Promise<void>
}

export interface GuardOptions {
  readonly execution: Pick<ExecFileOptions, "cwd" | "uid" | "gid" | "env">
  /** Receives what the program prints. */
  readonly output: FileHandle
  /** A folder that the program gets as FOLDER_DESCRIPTOR, opened by our own user. */
  readonly folder?: string | undefined
}

/** Starts a program in a session of its own, so that Ctrl-C does not reach it. */
export async function spawnGuarded(
  command: readonly [string, ...string[]],
  { execution, output, folder }: GuardOptions,
): Promise<GuardedProcess> {
  await using opened = folder === undefined ? undefined : await open(folder)
  const guard = spawn(SHELL, ["-c", GUARD, "restwell-guard", ...command], {
    ...execution,
    detached: true,
    stdio: ["pipe", output.fd, output.fd, "pipe", ...(opened ? ["ignore" as const, opened.fd] : [])],
  })
  await once(guard, "spawn")
  const ended = endOf(guard)
  const pid = await readPid(guard)
  return {
    pid,
    ended,
    isRunning: () => guard.exitCode === null && guard.signalCode === null,
    unref: () => guard.unref(),
    async stop() {
      guard.ref()
      guard.stdin?.destroy()
      await ended
    },
  }
}

async function endOf(guard: ChildProcess): Promise<number | NodeJS.Signals> {
  const [code, signal] = await once(guard, "exit")
  return signal ?? code
}

async function readPid(guard: ChildProcess): Promise<number> {
  const pidPipe = guard.stdio[3]
  if (!(pidPipe instanceof Readable)) throw new TypeError("the guard has no pipe for the process id")
  for await (const line of createInterface(pidPipe)) return Number(line)
  // A signal to our process group ends a shell that does not ignore it yet. Our own is noticed in this turn of the event loop.
  await immediate()
  throw new Error(`${SHELL} could not start a process`)
}

const LONGEST_OUTPUT = 8192

/** An unnamed file for what a program prints: a pipe would break when this process ends. */
export async function openOutput(directory: string): Promise<FileHandle> {
  const path = join(directory, `start-${randomUUID()}.log`)
  const output = await open(path, "wx+", 0o600)
  await unlink(path)
  return output
}

/** The beginning of the output. */
export async function readOutput(output: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await output.read(Buffer.alloc(LONGEST_OUTPUT), 0, LONGEST_OUTPUT, 0)
  return buffer.toString("utf8", 0, bytesRead).trim()
}
