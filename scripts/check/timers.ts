import { type Exception, isExcepted, packageOf, type SourceFile } from "./source-files.ts"

const PACKAGES = ["core", "providers", "server"]

/** A method of the same name, as in `socket.setTimeout`, is no timer of ours. */
const TIMER = /(?<!\.)\b(setTimeout|setInterval|setImmediate)\b|["'](?:node:)?(timers(?:\/promises)?)["']/g

const EXCEPTIONS: readonly Exception[] = [
  { files: "packages/core/src/base/batch.ts", reason: "gathers the items of a tick, and notices a slow call" },
  { files: "packages/core/src/archives/push-worker.ts", reason: "lets messages in between two parts of a push" },
  { files: "packages/providers/src/http/vendor-client.ts", reason: "default of an option, tests pass their own delay" },
  { files: "packages/server/src/**/wait.ts", reason: "is the service's way to wait, passed as an argument" },
  { files: "packages/server/src/service.ts", reason: "composition root: schedules the sweeps" },
  { files: "packages/server/src/commands/run-command.ts", reason: "ends a process that does not drain" },
  { files: "packages/server/src/{demo/**,commands/demo.ts}", reason: "shows progress to a person in real time" },
]

/** Waiting is an argument: a test cannot move a real timer forward. */
export function timerFaults({ path, text }: SourceFile): string[] {
  if (!PACKAGES.includes(packageOf(path)) || isExcepted(path, EXCEPTIONS)) return []
  const timers = new Set([...text.matchAll(TIMER)].map(([, global, module]) => global ?? module))
  if (timers.size === 0) return []
  return [`${path}: uses a real timer (${[...timers].join(", ")}), take a wait function as an argument`]
}
