import { databaseTrouble } from "@restwell/core"
import { ConfigError } from "../config/config.ts"
import { NoEmbeddedPostgres } from "../postgres/binaries.ts"
import { ServerDidNotStart } from "../postgres/cluster.ts"
import { UnusableHome } from "../postgres/home.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"

const LONGEST_DRAIN_MS = 30_000

/** Errors whose message is written for the operator and needs no stack. */
const OPERATOR_ERRORS = [ConfigError, AlreadyRunning, NoEmbeddedPostgres, ServerDidNotStart, UnusableHome]

/** Runs a command. An error is printed, and the process exits with 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    process.stderr.write(`restwell: ${describe(error)}\n`)
    process.exit(1)
  }
}

/** Waits for Ctrl-C, SIGTERM or `fatal`, then drains. A second signal ends the process at once. */
export async function untilStopped(
  drain: () => Promise<void>,
  fatal: Promise<never> = new Promise(() => {}),
): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let isStopping = false
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      stop()
    })
  try {
    await Promise.race([stopped, fatal])
  } finally {
    setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref()
    await drain()
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (OPERATOR_ERRORS.some((known) => error instanceof known)) return error.message
  if ("code" in error && error.code === "EADDRINUSE") return `${error.message}: set PORT to another port`
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\ncaused by ${describe(error.cause)}`
}
