import { deleteAccount } from "@restwell/core"
import type { VendorName } from "@restwell/providers"
import { createWorld } from "@restwell/testing/world"
import { afterAll, expect, test } from "vitest"
import { type CellOutcome, isPolled, jobKindsOf, runCell } from "./fault-matrix.ts"
import { faultsOf } from "./vendor-faults.ts"

const PROVIDERS = ["whoop", "oura", "polar", "intervals", "withings", "google_health", "ultrahuman"] as const

/** People with other histories than those of `npm test`. */
const SEEDS = ["one", "two", "three"]

interface Row {
  readonly provider: VendorName
  readonly job: string
  readonly name: string
  readonly outcome: CellOutcome
}
const rows: Row[] = []

afterAll(() => {
  for (const provider of PROVIDERS) for (const line of table(provider)) process.stdout.write(`${line}\n`)
})

const RUNS = PROVIDERS.flatMap((provider) => SEEDS.map((seed) => ({ provider, seed })))

test.each(RUNS)("every kind of job recovers from every fault of $provider, people of seed $seed", async (run) => {
  const { provider, seed } = run
  const hasWebhooks = !isPolled(provider)
  const world = await createWorld({ vendor: provider, days: 80, hasWebhooks, timeoutMs: 1_200, seed })
  Object.assign(world.vendor.simulator.webhooks.manners, { copies: 3, shuffled: true })
  try {
    for (const [job, kind] of jobKindsOf(provider))
      for (const [name, fault] of Object.entries(faultsOf(provider))) {
        const person = world.simulator.people.add({
          email: `${seed}.${job}.${name}@example.com`.replace(/[^a-z0-9@.]/gi, "-"),
        })
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
  expect(rows.length).toBeGreaterThan(0)
})

/** Minutes until the stored records were the vendor's, the longest of all seeds. `lost` marks cells where the tokens were lost. */
function table(provider: VendorName): string[] {
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
