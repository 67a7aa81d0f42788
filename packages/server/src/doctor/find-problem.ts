import { databaseTrouble } from "@restwell/core"
import { codeOf } from "./ask-service.ts"
import { failed, failedWith, type Outcome, Skip, skipped } from "./result.ts"

/** Errors whose message is written for the operator. */
const OPERATOR_ERRORS = new Set([
  ...["AlreadyRunning", "CannotListen", "ConfigError", "NoEmbeddedPostgres", "OtherVersion"],
  ...["ServerDidNotStart", "UnusableDatabase", "UnusableHome"],
])

/** The outcome of a check that threw. */
export function findProblem(error: unknown): Outcome {
  if (error instanceof Skip) return skipped(error.message)
  if (!(error instanceof Error)) return failed(`the check failed: ${String(error)}`, "report this as a bug")
  if (error.name === "UnreachableDatabase") return atLastColon(error.message)
  if (OPERATOR_ERRORS.has(error.name)) return failedWith(error.message)
  if (codeOf(error) === "53300")
    return failed(
      "the database takes no more connections",
      "raise max_connections of the server, or end other programs on it",
    )
  if (databaseTrouble(error) !== undefined)
    return failed(`the database does not answer (${codeOf(error)})`, "start it, or correct DATABASE_URL")
  return failed(
    `the check failed: ${error.message.replaceAll(/\s+/g, " ")}`,
    "report this as a bug, with the log of the service",
  )
}

/** Like "cannot use the database: it refuses the password: correct it". */
function atLastColon(message: string): Outcome {
  const colon = message.lastIndexOf(": ")
  return failed(message.slice(0, colon), message.slice(colon + 2))
}
