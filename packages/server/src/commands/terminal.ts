// What a person at the terminal sees of a command: its log lines, its progress, and the browser that it opens.

import { spawn } from "node:child_process"
import { pino } from "pino"
import { createLogger, type Logger, printLine } from "../process/logger.ts"

const STANDARD_ERROR = 2

/** Logs warnings to standard error, because standard output is for a command's results. */
export const commandLogger = (): Logger => createLogger("warn", pino.destination(STANDARD_ERROR))

/** Quick work needs no progress. */
const SHOW_AFTER_MS = 1000
const REDRAW_MS = 100
const WIDTH = 30
/** Without a terminal: a line for each of these steps. */
const STEP_PERCENT = 10
const CLEARED_LINE = "\r\u001b[K"

export interface Progress {
  /** The share that is done, 0 to 1, of the work or of its named part. May be called very often. */
  update(share: number, part?: string): void
  /** Removes the bar from the terminal. */
  [Symbol.dispose](): void
}

export interface ProgressOptions {
  /** What is being done, like "importing". */
  readonly label: string
  /** With `--json`: no progress at all. */
  readonly isSilent?: boolean
  readonly now?: () => number
  /** @default standard error, because standard output is for results */
  readonly output?: { readonly isTTY?: boolean; write(text: string): unknown }
}

/** Shows the progress of long work: a bar in a terminal, otherwise a line for every tenth. Work of less than a second shows nothing. */
export function showProgress({
  label,
  isSilent = false,
  now = () => performance.now(),
  output = process.stderr,
}: ProgressOptions): Progress {
  const draw = output.isTTY ? drawBar : printSteps
  let drawnAt = now() + SHOW_AFTER_MS - REDRAW_MS
  let drawn: Drawn | undefined
  return {
    update(share, part) {
      if (isSilent || now() - drawnAt < REDRAW_MS) return
      drawnAt = now()
      const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100)
      drawn = draw(output, { title: part === undefined ? label : `${label} ${part}`, percent }, drawn)
    },
    [Symbol.dispose]() {
      if (output.isTTY && drawn !== undefined) output.write(CLEARED_LINE)
    },
  }
}

type Output = Required<ProgressOptions>["output"]

interface Drawn {
  readonly title: string
  readonly percent: number
}

function drawBar(output: Output, next: Drawn, last: Drawn | undefined): Drawn {
  const { title, percent } = next
  const bar = "=".repeat(Math.floor((percent / 100) * WIDTH)).padEnd(WIDTH)
  if (percent !== last?.percent || title !== last.title) output.write(`${CLEARED_LINE}${title} [${bar}] ${percent} %`)
  return next
}

function printSteps(output: Output, { title, percent }: Drawn, last: Drawn | undefined): Drawn {
  const step = percent - (percent % STEP_PERCENT)
  if (last?.title === title && step <= last.percent) return last
  output.write(`${title}: ${step} %\n`)
  return { title, percent: step }
}

/** Programs that open an address in the person's browser, by Node's names of systems. */
const OPENERS: Readonly<Record<string, string>> = { darwin: "open", linux: "xdg-open" }

/** Opens an address in the person's browser, or asks the person to. */
export function openBrowser(url: string): void {
  const askPerson = () => printLine(`No browser could be opened here. Open ${url}`)
  const program = OPENERS[process.platform]
  if (program === undefined) {
    askPerson()
    return
  }
  const child = spawn(program, [url], { detached: true, stdio: "ignore" })
  child.on("error", askPerson)
  child.on("exit", (code) => {
    if (code !== 0) askPerson()
  })
  child.unref()
}
