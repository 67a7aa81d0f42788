import { unlessAborted } from "../process/wait.ts"
import { checkProxy, checkPublicAddress, checkService, checkSetUp } from "./check-address.ts"
import { checkDatabase, checkSchema, checkStoredSecrets } from "./check-database.ts"
import { checkEmail } from "./check-email.ts"
import { checkDashboard, checkDataDir, checkOpenFiles, checkPort, checkSecret, checkSettings } from "./check-machine.ts"
import { checkVendors, checkWebhooks } from "./check-vendors.ts"
import { checkBackup, checkClock, checkConnections, checkSignIn, checkWork } from "./check-work.ts"
import { Facts, type FactsOptions } from "./facts.ts"
import { CHECKS, type CheckName, type CheckResult, failed, findProblem, type Outcome } from "./result.ts"

type Check = (facts: Facts) => Promise<Outcome | Outcome[]>

const RUN: Readonly<Record<CheckName, Check>> = {
  settings: checkSettings,
  "data folder": checkDataDir,
  secret: checkSecret,
  dashboard: checkDashboard,
  database: checkDatabase,
  schema: checkSchema,
  "stored secrets": checkStoredSecrets,
  port: checkPort,
  service: checkService,
  "set-up": checkSetUp,
  "open files": checkOpenFiles,
  "public address": checkPublicAddress,
  proxy: checkProxy,
  vendor: checkVendors,
  webhooks: checkWebhooks,
  "sign-in": checkSignIn,
  clock: checkClock,
  connections: checkConnections,
  work: checkWork,
  backup: checkBackup,
  email: checkEmail,
}

/** Longer than any check that ends, the start of an embedded PostgreSQL among them. */
const LONGEST_MS = 45_000

/** For the settings of the database, which the checks are made with. */
const STORED_SETTINGS_MS = 10_000

/** Checks an installation and changes nothing. Each check ends, whatever the others find. */
export async function runChecks(options: FactsOptions): Promise<CheckResult[]> {
  const facts = new Facts(options)
  try {
    // What hangs or fails here, a check reports.
    await unlessAborted(facts.useStoredSettings(), AbortSignal.timeout(STORED_SETTINGS_MS)).catch(() => {})
    options.signal.throwIfAborted()
    const results = CHECKS.map(async (check): Promise<CheckResult[]> => {
      const outcomes = await runOne(RUN[check], facts, options.signal)
      return outcomes.map((outcome) => ({ check, ...outcome }))
    })
    return (await Promise.all(results)).flat()
  } finally {
    await facts.close()
  }
}

async function runOne(check: Check, facts: Facts, signal: AbortSignal): Promise<readonly Outcome[]> {
  const limit = AbortSignal.timeout(LONGEST_MS)
  try {
    const outcome = await unlessAborted(check(facts), AbortSignal.any([signal, limit]))
    return Array.isArray(outcome) ? outcome : [outcome]
  } catch (error) {
    if (limit.aborted && error === limit.reason)
      return [
        failed(`the check took longer than ${LONGEST_MS / 1000} seconds`, "look for a disk or network that hangs"),
      ]
    signal.throwIfAborted()
    return [findProblem(error)]
  }
}
