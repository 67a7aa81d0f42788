/**
 * `npm run bench:soak -- --minutes 30`: mixed load at a fraction of full speed. Checks that memory does not grow, nothing fails, and every
 * response is counted and logged once, and exits with 1 otherwise. `--share 0.6` sets the fraction, `--rate 500` the requests per second
 * instead, `--postgres external` the other PostgreSQL.
 */
import { parseArgs } from "node:util"
import type { PoolConfig } from "pg"
import { z } from "zod"
import { changeData } from "./soak/change-data.ts"
import { type Drive, drive, newTally } from "./soak/drive.ts"
import { watchMemory } from "./soak/memory.ts"
import type { Cast } from "./soak/mix.ts"
import { printAnswers, printGrowth, printMinutes } from "./soak/report.ts"
import { readSums, type Sums, sumFaults } from "./soak/sums.ts"
import { connectBenchAssistant } from "./targets/assistant.ts"
import { COPIED_DAYS } from "./targets/bench.ts"
import { MONTHLY_REQUESTS, openBenchService } from "./targets/bench-service.ts"
import { withClient } from "./targets/database.ts"
import { printMachine } from "./targets/machine.ts"
import { copyPeople, findPerson, setUsed } from "./targets/people.ts"

const CONNECTIONS = 32
const READERS = 100
const POOR = 10
/** Remaining requests of people whose quota is nearly used up. */
const LEFT = 150
/** How long full speed is measured. */
const FULL_SPEED_MS = 15_000
const MS_PER_MINUTE = 60_000
const SHOWN_FAULTS = 20

/** At most 55 minutes, because access tokens expire after an hour. */
const OptionsSchema = z.object({
  minutes: z.coerce.number().positive().max(55),
  share: z.coerce.number().positive().max(1),
  rate: z.coerce.number().positive().optional(),
  postgres: z.enum(["embedded", "external"]),
})
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    share: { type: "string", default: "0.6" },
    rate: { type: "string" },
    postgres: { type: "string", default: "embedded" },
  },
})
const { minutes, share, rate, postgres } = OptionsSchema.parse(values)

await using service = await openBenchService({ postgres })
const { port, member, database } = service
await printMachine(database)
const assistant = await connectBenchAssistant(service)
const cast: Cast = { ...(await castOf(database)), assistant, cookie: member.cookie }
const before = await readSums(database)
const tally = newTally()
const load: Drive = { port, cast, connections: CONNECTIONS, lengthMs: FULL_SPEED_MS }
if (rate === undefined) await drive(load, tally)
const chosen = rate ?? Math.round((share * tally.answers) / (FULL_SPEED_MS / 1000))
process.stdout.write(
  `${minutes} minutes at ${chosen} requests/s over ${CONNECTIONS} connections, ${postgres} PostgreSQL\n`,
)

const over = new AbortController()
const beside = Promise.all([
  watchMemory(service.url, () => tally.answers, over.signal),
  changeData(service, over.signal),
])
await Promise.race([drive({ ...load, rate: chosen, lengthMs: minutes * MS_PER_MINUTE }, tally), failing(beside)])
over.abort()
const [samples] = await beside
const after = await readSums(database)
const versions = versionOf(after) - versionOf(before)

printMinutes(samples)
printAnswers(tally)
const isSteady = printGrowth(samples)
const wrongSums = sumFaults(before, after, tally.countedReads)
for (const fault of [...tally.faults, ...wrongSums].slice(0, SHOWN_FAULTS)) process.stdout.write(`${fault}\n`)
process.stdout.write(
  `\n${tally.faults.length} faults, ${after.size - wrongSums.length} of ${after.size} keys with exact sums, ${versions} versions of the data that changed\n`,
)
if (tally.faults.length > 0 || wrongSums.length > 0 || !isSteady) process.exitCode = 1

function versionOf(sums: Sums): number {
  return sums.get(cast.original.userId)?.version ?? Number.NaN
}

/** Rejects when the work does, and never resolves. */
async function failing(work: Promise<unknown>): Promise<never> {
  await work
  return new Promise(() => {})
}

async function castOf(connection: PoolConfig): Promise<Pick<Cast, "original" | "readers" | "poor">> {
  return withClient(connection, async (client) => {
    const original = await findPerson(client, service.key)
    // A copied connection has no grant at the vendor, so a sync of it would fail.
    const copies = { days: COPIED_DAYS, status: "reauthorization_required" } as const
    const readers = await copyPeople(client, original, { ...copies, prefix: "reader", count: READERS })
    const poor = await copyPeople(client, original, { ...copies, prefix: "poor", count: POOR })
    for (const { userId } of poor) await setUsed(client, userId, MONTHLY_REQUESTS - LEFT)
    return { original, readers, poor }
  })
}
