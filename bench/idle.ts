/**
 * `npm run bench:idle -- --minutes 10`: the memory of a service with one connected person that has nothing to do, and of its embedded
 * PostgreSQL, in the minutes after the first start has fetched the person's history, or with `--restart` after a start on existing data. PSS: memory
 * that processes share counts once. Linux only. `--package FOLDER` measures a package that is installed there, and `--environment NAME=VALUE` compares
 * settings.
 */

import { join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { MINUTE_MS } from "@restwell/client/time-units"
import { z } from "zod"
import { memoryOfTree, type ProcessMemory } from "./idle/process-memory.ts"
import { print } from "./measuring/print.ts"
import { openBenchService } from "./targets/bench-service.ts"
import { printMachine } from "./targets/machine.ts"

/** As in "today about 165 + 54 MB": a megabyte is 1,024 KiB. */
const KIB_PER_MB = 1024
const SHOWN_TITLE = 60

const OptionsSchema = z.object({
  minutes: z.coerce.number().min(0).max(1440),
  days: z.coerce.number().min(1).max(3650),
  restart: z.boolean(),
  package: z.string().optional(),
  environment: z.array(z.string().regex(/^\w+=/)),
})
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    days: { type: "string", default: "90" },
    restart: { type: "boolean", default: false },
    package: { type: "string" },
    environment: { type: "string", multiple: true, default: [] },
  },
})
const { minutes, days, restart, package: installedIn, environment } = OptionsSchema.parse(values)

await using service = await openBenchService({
  days,
  environment: Object.fromEntries(environment.map((text) => text.split(/=(.*)/s, 2))),
  program: installedIn && join(resolve(installedIn), "node_modules", "restwell", "bin", "restwell.js"),
})
await printMachine(service.database)
if (restart) await service.restart()
process.stdout.write(
  `one person with ${days} days, minutes after ${restart ? "a start on existing data" : "the history was fetched"}\n\n`,
)
print(["minutes", "service, MB", "database, MB", "together, MB"])
let processes: readonly ProcessMemory[] = []
for (let minute = 0; minute <= minutes; minute += 1) {
  if (minute > 0) await wait(MINUTE_MS)
  processes = await memoryOfTree(service.pid())
  const [node, ...database] = processes
  print([String(minute), megabytes(sum(node ? [node] : [])), megabytes(sum(database)), megabytes(sum(processes))])
}
process.stdout.write("\n")
print(["process", "PSS, MB", "private, MB"])
for (const { title, pssKib, privateKib } of processes)
  print([title.split("\n", 1)[0]?.slice(0, SHOWN_TITLE) ?? "", megabytes(pssKib), megabytes(privateKib)])

function sum(all: readonly ProcessMemory[]): number {
  return all.reduce((total, { pssKib }) => total + pssKib, 0)
}

function megabytes(kib: number): string {
  return (kib / KIB_PER_MB).toFixed(1)
}
