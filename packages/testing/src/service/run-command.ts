import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import { once } from "node:events"

const PROGRAM = new URL(import.meta.resolve("@restwell/server/bin")).pathname

export interface CommandOptions extends SpawnOptions {
  /** Path of `restwell.js`. @default the repository's */
  readonly program?: string | undefined
}

/** Starts a `restwell` command, with nothing in its environment but PATH and the given variables. */
export function spawnCommand(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { program = PROGRAM, ...options }: CommandOptions = {},
): ChildProcess {
  const { PATH = "" } = process.env
  return spawn(process.execPath, [program, ...commandLine], {
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
    env: { PATH, ...environment },
  })
}

/** Runs a `restwell` command to its end. `output` is all that it printed, `errors` the part on standard error. */
export async function runCommand(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>>,
  options: CommandOptions = {},
): Promise<{ readonly code: number; readonly output: string; readonly errors: string }> {
  const child = spawnCommand(commandLine, environment, options)
  let output = ""
  let errors = ""
  child.stdout?.on("data", (text) => {
    output += text
  })
  child.stderr?.on("data", (text) => {
    output += text
    errors += text
  })
  const [code] = await once(child, "close")
  return { code: Number(code), output, errors }
}
