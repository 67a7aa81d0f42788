import { databaseTrouble, OperatorError } from "@restwell/core"
import { ConfigError, UnusableSetting } from "../config/config.ts"
import { codeOf } from "./service-proof.ts"

/** What one check found. */
export type Outcome =
  | { readonly status: "ok"; readonly message: string }
  /** Something is wrong. `remedy` says what to do about it. */
  | { readonly status: "failed"; readonly message: string; readonly remedy: string }
  /** It could not be checked, because of something that another check reports or that is not there. */
  | { readonly status: "skipped"; readonly message: string }

export type CheckResult = Outcome & { readonly check: string }

export const ok = (message: string): Outcome => ({ status: "ok", message })
export const failed = (message: string, remedy: string): Outcome => ({ status: "failed", message, remedy })
export const skipped = (message: string): Outcome => ({ status: "skipped", message })

/** A fault that somebody else found, with the remedy that was written for it. */
export interface Fault {
  readonly fault: string
  readonly remedy: string
}
export const failedBy = ({ fault, remedy }: Fault): Outcome => failed(fault.replaceAll(/\s+/g, " ").trim(), remedy)

/** Thrown by a fact that cannot be had, because of something that another check reports. */
export class Skip extends Error {
  override readonly name = "Skip"
}

/** The outcome of a check that threw. A remedy is only what the error itself has. */
export function findProblem(error: unknown): Outcome {
  if (error instanceof Skip) return skipped(error.message)
  if (!(error instanceof Error)) return failed(`the check failed: ${String(error)}`, "report this as a bug")
  if (error instanceof OperatorError || error instanceof UnusableSetting) return failedBy(error)
  if (error instanceof ConfigError) return failed(error.mistakes.join(", "), "correct these settings")
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
