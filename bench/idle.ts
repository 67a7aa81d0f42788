/**
 * `npm run bench:idle -- --minutes 10 --people 10`: memory, transactions and processor time of a service with connected people that has
 * nothing to do, and of its embedded PostgreSQL, in the minutes after the first start has fetched the person's history, or with `--restart` after a start on existing data. PSS: memory
 * that processes share counts once. Linux only. `--package FOLDER` measures a package that is installed there, and `--environment NAME=VALUE` compares
 * settings.
 */

import { join, resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import { MINUTE_MS } from "@restwell/client/time-units"
import { Member } from "@restwell/testing/member"
import { z } from "zod"
import { memoryOfTree, type ProcessMemory } from "./idle/process-memory.ts"
import { print } from "./measuring/print.ts"
import { openBenchService } from "./targets/bench-service.ts"
import { withClient } from "./targets/database.ts"
import { printMachine } from "./targets/machine.ts"
import { EMAIL } from "./targets/simulator.ts"

/** As in "today about 165 + 54 MB": a megabyte is 1,024 KiB. */
const KIB_PER_MB = 1024
const SHOWN_TITLE = 60

const OptionsSchema = z.object({
  minutes: z.coerce.number().min(0).max(1440),
  people: z.coerce.number().min(1).max(1000),
  days: z.coerce.number().min(1).max(3650),
  restart: z.boolean(),
  package: z.string().optional(),
  environment: z.array(z.string().regex(/^\w+=/)),
})
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    people: { type: "string", default: "1" },
    days: { type: "string", default: "90" },
    restart: { type: "boolean", default: false },
    package: { type: "string" },
    environment: { type: "string", multiple: true, default: [] },
  },
})
const { minutes, people, days, restart, package: installedIn, environment } = OptionsSchema.parse(values)

await using service = await openBenchService({
  days,
  environment: {
    // The vendor has one member.
    SHARED_VENDOR_ACCOUNTS: "allow",
    ...Object.fromEntries(environment.map((text) => text.split(/=(.*)/s, 2))),
  },
  program: installedIn && join(resolve(installedIn), "node_modules", "restwell", "bin", "restwell.js"),
})
await printMachine(service.database)
for (let count = 1; count < people; count += 1) {
  const other = new Member(service)
  await other.signUp()
  await other.connect({ email: EMAIL })
  await other.untilHistoryIsComplete()
}
if (restart) await service.restart()
process.stdout.write(
  `${people} people with ${days} days, minutes after ${restart ? "a start on existing data" : "the history was fetched"}\n\n`,
)
print(["minutes", "service, MB", "database, MB", "together, MB", "transactions/s", "share of a core"])
let processes: readonly ProcessMemory[] = []
let before = { transactions: 0, coreSeconds: new Map<number, number>() }
for (let minute = 0; minute <= minutes; minute += 1) {
  if (minute > 0) await wait(MINUTE_MS)
  processes = await memoryOfTree(service.pid())
  const [node, ...database] = processes
  const transactions = await countTransactions()
  const coreSeconds = new Map(processes.map((each) => [each.pid, each.coreSeconds]))
  const used = [...coreSeconds].reduce((total, [pid, now]) => total + now - (before.coreSeconds.get(pid) ?? 0), 0)
  const perSecond = ((transactions - before.transactions) * 1_000) / MINUTE_MS
  const share = `${((used * 1_000 * 100) / MINUTE_MS).toFixed(2)} %`
  print([
    String(minute),
    megabytes(sum(node ? [node] : [])),
    megabytes(sum(database)),
    megabytes(sum(processes)),
    ...(minute === 0 ? ["", ""] : [perSecond.toFixed(2), share]),
  ])
  before = { transactions, coreSeconds }
}
process.stdout.write("\n")
print(["process", "PSS, MB", "private, MB"])
for (const { title, pssKib, privateKib } of processes)
  print([title.split("\n", 1)[0]?.slice(0, SHOWN_TITLE) ?? "", megabytes(pssKib), megabytes(privateKib)])

/** The look itself is one. */
async function countTransactions(): Promise<number> {
  const { rows } = await withClient(service.database, (client) =>
    client.query<{ count: string }>(
      "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
    ),
  )
  return Number(rows[0]?.count)
}

function sum(all: readonly ProcessMemory[]): number {
  return all.reduce((total, { pssKib }) => total + pssKib, 0)
}

function megabytes(kib: number): string {
  return (kib / KIB_PER_MB).toFixed(1)
}
