/** Runs a command until it is done, fails or is interrupted. */
import { setImmediate } from "node:timers/promises"
import { databaseTrouble } from "@restwell/core/connector"
import { OperatorMessage } from "@restwell/core/operator-errors"
import { Interrupted, takeStopSignal } from "./stop-signals.ts"

const LONGEST_DRAIN_MS = 30_000

interface RunOptions {
  /** For the service: nobody sees its faults but the operator who reads the log. */
  readonly printsStack?: boolean
}

/** Runs a command, which ends soon after the signal aborts. An error is printed, and the process exits with 1. */
export async function runCommand(
  command: (signal: AbortSignal) => Promise<void>,
  { printsStack = process.env["LOG_LEVEL"] === "debug" }: RunOptions = {},
): Promise<void> {
  // A signal that came during the import is handled now.
  await setImmediate()
  const signal = takeStopSignal()
  signal.addEventListener("abort", limitDrain, { once: true })
  try {
    await command(signal)
  } catch (error) {
    // Started parts are stopped. A step that was interrupted may still be going on, and ends with the process.
    if (error instanceof Interrupted) process.exit(0)
    process.stderr.write(`restwell: ${describeFailure(error, { withStack: printsStack })}\n`)
    process.exit(1)
  }
}

/** Waits for a signal or `fatal`, then drains. A second signal ends the process at once. */
export async function untilStopped(
  drain: () => Promise<void>,
  fatal: Promise<never> = new Promise(() => {}),
): Promise<void> {
  const signal = takeStopSignal()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  if (signal.aborted) stop()
  else signal.addEventListener("abort", () => stop(), { once: true })
  try {
    await Promise.race([stopped, fatal])
  } finally {
    limitDrain()
    await drain()
  }
}

function limitDrain(): void {
  setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref()
}

/** A command's failure in words for the operator. `withStack` adds the stack of a fault of the program. */
export function describeFailure(error: unknown, { withStack }: { readonly withStack: boolean }): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof OperatorMessage) return error.message
  const trouble = databaseTrouble(error)
  if (trouble !== undefined) return `${trouble} (${error.message})`
  if (!withStack) return `internal error: ${messages(error)} (LOG_LEVEL=debug prints where)`
  const text = error.stack ?? error.message
  return error.cause === undefined ? text : `${text}\ncaused by ${describeFailure(error.cause, { withStack })}`
}

const messages = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${messages(error.cause)}` : error.message
