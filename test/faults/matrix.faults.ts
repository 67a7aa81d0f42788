import { deleteAccount } from "@restwell/core"
import { createWorld } from "@restwell/testing/world"
import { afterAll, expect, test } from "vitest"
import { type CellOutcome, JOB_KINDS, runCell } from "./fault-matrix.ts"
import { VENDOR_FAULTS } from "./vendor-faults.ts"

/** People with other histories than those of `npm test`. */
const SEEDS = ["one", "two", "three"]

const rows: { readonly job: string; readonly name: string; readonly outcome: CellOutcome }[] = []

afterAll(() => {
  for (const line of table()) process.stdout.write(`${line}\n`)
})

test.each(SEEDS)("every kind of job recovers from every fault, people of seed %s", async (seed) => {
  const world = await createWorld({ days: 80, hasWebhooks: true, timeoutMs: 400, seed })
  Object.assign(world.simulator.webhooks.manners, { copies: 3, shuffled: true })
  try {
    for (const [job, kind] of Object.entries(JOB_KINDS))
      for (const [name, fault] of Object.entries(VENDOR_FAULTS)) {
        const person = world.simulator.people.add({
          email: `${seed}.${job}.${name}@example.com`.replace(/[^a-z0-9@.]/gi, "-"),
        })
        const userId = await world.addUser()
        const outcome = await runCell(world, kind, fault, { userId, person }).catch((error: unknown) => {
          throw new Error(`${job} x ${name}`, { cause: error })
        })
        rows.push({ job, name, outcome })
        await deleteAccount(world.context, userId)
      }
  } finally {
    await world.close()
  }
  expect(rows.length).toBeGreaterThan(0)
})

/** Minutes until the stored records were the vendor's, the longest of all seeds. `lost` marks cells where the tokens were lost. */
function table(): string[] {
  const jobs = Object.keys(JOB_KINDS)
  const cell = (job: string, name: string): string => {
    const outcomes = rows.filter((row) => row.job === job && row.name === name).map(({ outcome }) => outcome)
    if (outcomes.length === 0) return "-"
    const minutes = String(Math.max(...outcomes.map(({ minutesToTruth }) => minutesToTruth)))
    return outcomes.some(({ isGrantLost }) => isGrantLost) ? `${minutes} lost` : minutes
  }
  return [
    `| fault | ${jobs.join(" | ")} |`,
    `|---|${jobs.map(() => "---").join("|")}|`,
    ...Object.keys(VENDOR_FAULTS).map((name) => `| ${name} | ${jobs.map((job) => cell(job, name)).join(" | ")} |`),
  ]
}
