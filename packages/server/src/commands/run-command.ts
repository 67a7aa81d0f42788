import { databaseTrouble } from "@restwell/core"
import { ConfigError } from "../config/config.ts"
import { NoEmbeddedPostgres } from "../postgres/binaries.ts"
import { ServerDidNotStart } from "../postgres/cluster.ts"
import { UnusableHome } from "../postgres/home.ts"
import { AlreadyRunning } from "../postgres/service-lock.ts"

/** A drain that takes longer is cut off. */
const LONGEST_DRAIN_MS = 30_000

/** Errors whose message is for the person at the terminal, and says all there is. */
const FOR_PEOPLE = [ConfigError, AlreadyRunning, NoEmbeddedPostgres, ServerDidNotStart, UnusableHome]

/** Runs a command; what it fails with is told in words, and the process ends with 1. */
export async function failForPeople(command: () => Promise<void>): Promise<void> {
  try {
    await command()
  } catch (error) {
    process.stderr.write(`restwell: ${describe(error)}\n`)
    process.exit(1)
  }
}

/** Waits for Ctrl-C or SIGTERM, or for `fatal`, then drains. A second signal does not wait. */
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
  if (FOR_PEOPLE.some((known) => error instanceof known)) return error.message
  if ("code" in error && error.code === "EADDRINUSE") return `${error.message}: set PORT to another one`
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.stack}\ncaused by ${describe(error.cause)}`
}
