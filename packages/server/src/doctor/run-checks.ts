import type { Config } from "../config/config.ts"
import { loadConfig } from "../config/config.ts"
import { ConfigError } from "../config/config-errors.ts"
import { unlessAborted } from "../process/wait.ts"
import { checkProxy, checkPublicAddress, checkService, checkSetUp } from "./check-address.ts"
import { checkHomeAssistant } from "./check-home-assistant.ts"
import {
  checkDatabase,
  checkDataDir,
  checkPort,
  checkSchema,
  checkSecret,
  checkSettings,
  checkStoredSecrets,
} from "./check-machine.ts"
import { checkMessages } from "./check-messages.ts"
import { checkVendors, checkWebhooks } from "./check-vendors.ts"
import { checkBackup, checkConnections, checkEmail, checkWork } from "./check-work.ts"
import { type CheckResult, Facts, type FactsOptions, failed, findProblem, type Outcome } from "./facts.ts"

export type { CheckResult }

type Check = (facts: Facts) => Promise<Outcome | Outcome[]>

/** What the checks of an installation are about, in the order in which they are printed. */
const CHECKS: Readonly<Record<string, Check>> = {
  settings: checkSettings,
  "data folder": checkDataDir,
  secret: checkSecret,
  database: checkDatabase,
  schema: checkSchema,
  "stored secrets": checkStoredSecrets,
  port: checkPort,
  service: checkService,
  "set-up": checkSetUp,
  "public address": checkPublicAddress,
  proxy: checkProxy,
  vendor: checkVendors,
  webhooks: checkWebhooks,
  connections: checkConnections,
  work: checkWork,
  backup: checkBackup,
  email: checkEmail,
  messages: checkMessages,
  "Home Assistant": checkHomeAssistant,
}

/** Longer than any check that ends, the start of an embedded PostgreSQL among them. */
const LONGEST_MS = 45_000

/** For the settings of the database, which the checks are made with. */
const STORED_SETTINGS_MS = 10_000

export interface CheckOptions extends Omit<FactsOptions, "config"> {
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Checks an installation and changes nothing. With a mistake in the settings, nothing else is checked. */
export async function runChecks({ environment, ...options }: CheckOptions): Promise<CheckResult[]> {
  let config: Config
  try {
    config = loadConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.mistakes.map((mistake) => ({ check: "settings", ...failed(mistake, remedyOf(mistake)) }))
  }
  const facts = new Facts({ ...options, config })
  try {
    // What hangs or fails here, a check reports.
    await unlessAborted(facts.useStoredSettings(), AbortSignal.timeout(STORED_SETTINGS_MS)).catch(() => {})
    options.signal.throwIfAborted()
    const results = Object.entries(CHECKS).map(async ([check, run]): Promise<CheckResult[]> => {
      const outcomes = await runOne(run, facts, options.signal)
      return outcomes.map((outcome) => ({ check, ...outcome }))
    })
    return (await Promise.all(results)).flat()
  } finally {
    await facts.close()
  }
}

const remedyOf = (mistake: string): string =>
  `${/ is not a setting, /.test(mistake) ? "rename or remove it" : "correct it"}, and start the service again`

/** Each check ends, whatever the others find. */
async function runOne(check: Check, facts: Facts, signal: AbortSignal): Promise<readonly Outcome[]> {
  const limit = AbortSignal.timeout(LONGEST_MS)
  try {
    return [await unlessAborted(check(facts), AbortSignal.any([signal, limit]))].flat()
  } catch (error) {
    if (limit.aborted && error === limit.reason)
      return [
        failed(`the check took longer than ${LONGEST_MS / 1000} seconds`, "look for a disk or network that hangs"),
      ]
    signal.throwIfAborted()
    return [findProblem(error)]
  }
}
