// Every job of vendors meets every fault, with a table of how long each takes to heal.
import { deleteAccount } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import { createWorld } from "@restwell/testing/world"
import { afterAll, expect, test } from "vitest"
import { type CellOutcome, isPolled, type JobKind, jobKindsOf, runCell } from "./fault-matrix.ts"
import { faultsOf, type VendorFault } from "./vendor-faults.ts"

/** People with other histories than those of `npm test`. */
const SEEDS = ["one", "two", "three"]

interface Row {
  readonly provider: VendorName
  readonly job: string
  readonly name: string
  readonly outcome: CellOutcome
}

/** A job of a vendor, with people of a seed. */
interface Run {
  readonly provider: VendorName
  readonly job: string
  readonly kind: JobKind
  readonly seed: string
}

/** Adds the tests of these vendors to a file. Each has vendors, a clock and a database of its own, so that they run side by side. */
export function testMatrix(providers: readonly VendorName[]): void {
  const rows: Row[] = []
  const runs = providers.flatMap((provider) =>
    jobKindsOf(provider).flatMap(([job, kind]) => SEEDS.map((seed): Run => ({ provider, job, kind, seed }))),
  )
  afterAll(() => {
    for (const provider of providers) for (const line of table(provider, rows)) process.stdout.write(`${line}\n`)
  })
  test.concurrent.each(runs)("$job recovers from every fault of $provider, people of seed $seed", async (run) => {
    await runJob(run, rows)
    expect(rows.length).toBeGreaterThan(0)
  })
}

/**
 * Polar serves nights for 28 days. A cell lasts for four of them, and a new connection must get what an old one has stored. Withings tells
 * of no deletion, and raises no version of a night of which it told too little: both are found among the 30 days that are read daily.
 */
function daysOf(provider: VendorName, job: string, { isLie }: VendorFault): number {
  if (provider === "polar") return 20
  if (provider === "withings" && isLie) return 14
  return provider === "withings" && job === "requested sync" ? 20 : 80
}

/** Runs one job through every fault of its vendor, and appends what came of each to the rows. */
async function runJob(run: Run, rows: Row[]): Promise<void> {
  const faults = Object.entries(faultsOf(run.provider))
  const byDays = Map.groupBy(faults, ([, fault]) => daysOf(run.provider, run.job, fault))
  for (const [days, some] of byDays) await runFaults(run, { days, faults: some }, rows)
}

async function runFaults(
  { provider, job, kind, seed }: Run,
  {
    days,
    faults,
  }: { readonly days: number; readonly faults: readonly (readonly [name: string, fault: VendorFault])[] },
  rows: Row[],
): Promise<void> {
  const hasWebhooks = !isPolled(provider)
  const world = await createWorld({ vendor: provider, days, hasWebhooks, timeoutMs: 1_200, seed })
  Object.assign(world.vendor.simulator.webhooks.manners, { copies: 3, shuffled: true })
  try {
    for (const [name, fault] of faults) {
      const email = `${seed}.${job}.${name}@example.com`.replace(/[^a-z0-9@.]/gi, "-")
      const person = world.simulator.people.add({ email })
      const userId = await world.addUser()
      const outcome = await runCell(world, kind, fault, { userId, person }).catch((error: unknown) => {
        throw new Error(`${provider}: ${job} x ${name}`, { cause: error })
      })
      rows.push({ provider, job, name, outcome })
      await deleteAccount(world.context, userId)
    }
  } finally {
    await world.close()
  }
}

/** Minutes until the stored records were the vendor's, the longest of all seeds. `lost` marks cells where the tokens were lost. */
function table(provider: VendorName, rows: readonly Row[]): string[] {
  const jobs = jobKindsOf(provider).map(([job]) => job)
  const cell = (job: string, name: string): string => {
    const outcomes = rows
      .filter((row) => row.provider === provider && row.job === job && row.name === name)
      .map(({ outcome }) => outcome)
    if (outcomes.length === 0) return "-"
    const minutes = String(Math.max(...outcomes.map(({ minutesToTruth }) => minutesToTruth)))
    return outcomes.some(({ isGrantLost }) => isGrantLost) ? `${minutes} lost` : minutes
  }
  return [
    `| fault of ${provider} | ${jobs.join(" | ")} |`,
    `|---|${jobs.map(() => "---").join("|")}|`,
    ...Object.keys(faultsOf(provider)).map((name) => `| ${name} | ${jobs.map((job) => cell(job, name)).join(" | ")} |`),
  ]
}
