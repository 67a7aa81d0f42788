/**
 * `npm run bench:capacity -- --people 1000 --days 90`: how many people one core and one disk carry, and what runs out first. Fills a
 * PostgreSQL with people, starts the API and a worker, and measures each kind of operation of a person's day alone, in turns: time of a core
 * of the service and of PostgreSQL, write-ahead log, and syncs of the disk. Rates, and where each is from, are in `capacity/rates.ts` and
 * printed. The people who are synced are connected to the simulated vendor. With `--one-node` it adds mornings of all people at once, a
 * backup, and a week of changes with its vacuum; `-- --people 100000 --one-node` takes about 65 GB and some hours. Linux only.
 */
import { loadavg } from "node:os"
import { parseArgs } from "node:util"
import { z } from "zod"
import { connectPeople, wantBriefings } from "./capacity/active-people.ts"
import { added, spentBy, UNMEASURED } from "./capacity/cost.ts"
import { openDeployment } from "./capacity/deployment.ts"
import { diskSpeedOf } from "./capacity/disk-speed.ts"
import { kindsOf } from "./capacity/kinds.ts"
import { printNode } from "./capacity/one-node.ts"
import { printCosts, printDay, printPeople } from "./capacity/print-capacity.ts"
import { KIND_NAMES } from "./capacity/rates.ts"
import { shuffled } from "./growth/read-medians.ts"
import { interruption } from "./measuring/interruption.ts"
import { printMachine } from "./targets/machine.ts"

const count = (least: number) => z.coerce.number().int().min(least)
const OptionsSchema = z.object({
  people: count(100),
  days: count(14),
  active: count(6),
  rounds: count(1),
  "one-node": z.boolean(),
})
const { values } = parseArgs({
  options: {
    people: { type: "string", default: "1000" },
    days: { type: "string", default: "90" },
    /** People who are synced, push and get a briefing, beside the others. */
    active: { type: "string", default: "60" },
    rounds: { type: "string", default: "3" },
    /** Also mornings of all people, a backup, and a week of changes. */
    "one-node": { type: "boolean", default: false },
  },
})
const { people, days, active, rounds, "one-node": isOneNode } = OptionsSchema.parse(values)
const MOST_READERS = 1_000
/** One in three gets a briefing. */
const BRIEFED = 3

await using deployment = await openDeployment({ people, days })
await printMachine(deployment.postgres.connection)
const bytesPerPerson = deployment.bytes / people
process.stdout.write(
  `${people} people with ${days} days: ${deployment.filled.rows} rows in ${deployment.filled.seconds.toFixed(0)} s, ${(bytesPerPerson / 1_000).toFixed(0)} kB a person on disk\n`,
)
printLoad()
const disk = await diskSpeedOf(deployment.folder)

let connected: Awaited<ReturnType<typeof connectPeople>> = []
const firstSync = await spentBy(deployment.measured, async () => {
  connected = await connectPeople(deployment, 0, active)
  return { operations: active }
})
const briefed = connected.slice(0, Math.floor(active / BRIEFED))
await wantBriefings(deployment, briefed)
const readers = shuffled(Array.from({ length: people }, (_, number) => number)).slice(0, MOST_READERS)
const synced = connected.slice(briefed.length)
const kinds = kindsOf(deployment, { synced, briefed, readers })
const costs = { ...UNMEASURED }
// The first turn of each starts threads and fills caches, and does not count.
for (let round = 0; round <= rounds; round += 1)
  for (const name of KIND_NAMES) {
    interruption.throwIfAborted()
    const { prepare, run } = kinds[name]
    await prepare?.()
    const spent = await spentBy(deployment.measured, run)
    if (spent.operations === 0) throw new Error(`nothing happened of ${name}: its cost is unknown`)
    if (round > 0) costs[name] = added(costs[name], spent)
  }
printCosts(costs, firstSync)
printDay(costs)
printPeople(costs, disk, { bytesPerPerson, days })
if (isOneNode) await printNode(deployment, people, synced)
printLoad()

/** Other work on the machine makes everything slower, and each operation cost more of a core. */
function printLoad(): void {
  process.stdout.write(
    `load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}\n`,
  )
}
