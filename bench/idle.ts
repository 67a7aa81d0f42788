/**
 * `npm run bench:idle -- --minutes 10`: the memory of a service with one connected person that has nothing to do, and of its embedded
 * PostgreSQL, so long after the first start has fetched the person's history, or with `--restart` after a start on existing data. PSS: memory that processes
 * share counts once. Linux only. `--node-options` compares settings of Node.js.
 */
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
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
  "node-options": z.string().optional(),
})
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    days: { type: "string", default: "90" },
    restart: { type: "boolean", default: false },
    "node-options": { type: "string" },
  },
})
const { minutes, days, restart, "node-options": nodeOptions } = OptionsSchema.parse(values)

await using service = await openBenchService({
  days,
  environment: { ...(nodeOptions && { NODE_OPTIONS: nodeOptions }) },
})
await printMachine(service.database)
if (restart) await service.restart()
process.stdout.write(
  `one person with ${days} days, ${minutes} minutes after ${restart ? "a start on existing data" : "the history was fetched"}\n\n`,
)
await wait(minutes * 60_000)
const processes = await memoryOfTree(service.pid())
print(["process", "PSS, MB", "private, MB"])
for (const { title, pssKib, privateKib } of processes)
  print([title.slice(0, SHOWN_TITLE), megabytes(pssKib), megabytes(privateKib)])
const [node, ...database] = processes
process.stdout.write("\n")
print(["service", megabytes(sum(node ? [node] : []))])
print(["database", megabytes(sum(database))])
print(["together", megabytes(sum(processes))])

function sum(all: readonly ProcessMemory[]): number {
  return all.reduce((total, { pssKib }) => total + pssKib, 0)
}

function megabytes(kib: number): string {
  return (kib / KIB_PER_MB).toFixed(1)
}
