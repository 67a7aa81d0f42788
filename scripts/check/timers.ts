import { type Exception, isExcepted, packageOf, type SourceFile } from "./source-files.ts"

const PACKAGES = ["core", "providers", "server"]

/** A method of the same name, as in `socket.setTimeout`, is no timer of ours. */
const TIMER = /(?<!\.)\b(setTimeout|setInterval|setImmediate)\b|["'](?:node:)?(timers(?:\/promises)?)["']/g

interface TimerException extends Exception {
  /** The only timer allowed; all of them when absent. */
  readonly only?: string
}

const EXCEPTIONS: readonly TimerException[] = [
  { files: "packages/core/src/*/micro-batch.ts", only: "setImmediate", reason: "ends a batch, waits for no time" },
  { files: "packages/providers/src/whoop/adapter.ts", reason: "default of an option, tests pass their own delay" },
  { files: "packages/server/src/**/wait.ts", reason: "is the service's way to wait, passed as an argument" },
  { files: "packages/server/src/service.ts", reason: "composition root: schedules the sweeps" },
  { files: "packages/server/src/commands/run-command.ts", reason: "ends a process that does not drain" },
  { files: "packages/server/src/postgres/**", reason: "waits for a process of the operating system" },
  { files: "packages/server/src/demo/**", reason: "shows progress to a person in real time" },
]

/** Waiting is an argument: a test cannot move a real timer forward. */
export function timerFaults({ path, text }: SourceFile): string[] {
  if (!PACKAGES.includes(packageOf(path))) return []
  const exceptions = EXCEPTIONS.filter((exception) => isExcepted(path, [exception]))
  const timers = [...text.matchAll(TIMER)]
    .map(([, global, module]) => global ?? module ?? "")
    .filter((timer) => !exceptions.some(({ only }) => only === undefined || only === timer))
  if (timers.length === 0) return []
  return [`${path}: uses a real timer (${[...new Set(timers)].join(", ")}), take a wait function as an argument`]
}
