import { plural } from "@restwell/client/figures"
import manifest from "../../package.json" with { type: "json" }
import type { CheckResult } from "../doctor/facts.ts"
import { runChecks } from "../doctor/run-checks.ts"
import type { Given } from "./command.ts"
import { runCommand } from "./run-command.ts"

/** `restwell doctor`: checks the installation, while the service runs or not, and changes nothing. The exit code is 1 if anything is wrong. */
export const main = (given: Given): Promise<void> =>
  runCommand(async (signal) => {
    const results = await runChecks({
      environment: process.env,
      clock: { now: () => new Date() },
      version: manifest.version,
      signal,
    })
    const faults = results.filter(({ status }) => status === "failed")
    process.stdout.write(
      given.has("json") ? `${JSON.stringify({ ok: faults.length === 0, checks: results })}\n` : describe(results),
    )
    process.exitCode = faults.length === 0 ? 0 : 1
  })

const CHECK_WIDTH = 16
const SIGNS = { ok: "ok     ", failed: "FAILED ", skipped: "skipped" } as const

function describe(results: readonly CheckResult[]): string {
  const lines = results.map((result) => `${SIGNS[result.status]}  ${result.check.padEnd(CHECK_WIDTH)}${textOf(result)}`)
  const faults = results.filter(({ status }) => status === "failed").length
  const sum = faults === 0 ? "nothing is wrong" : plural(faults, "fault")
  const toDo = results.filter(({ check, status }) => check === "set-up" && status === "skipped")
  return `${[...lines, "", sum, ...toDo.map(({ message }) => message)].join("\n")}\n`
}

const textOf = (result: CheckResult): string =>
  result.status === "failed" ? `${result.message}: ${result.remedy}` : result.message
