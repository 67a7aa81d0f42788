import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Runs command lines as a person types them: in one folder, in a shell that knows nothing of the repository. */
export class Terminal {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#folder = folder
    const { PATH = "", npm_config_registry: registry } = process.env
    this.#environment = {
      // Without the folders that npm adds for this repository, so that `node` is the machine's own.
      PATH: PATH.split(":")
        .filter((entry) => !entry.includes("node_modules"))
        .join(":"),
      HOME: folder,
      ...(registry && { npm_config_registry: registry }),
      ...environment,
    }
  }

  /** Runs a script to its end. Returns what it printed. @throws with what it printed if it fails */
  async run(script: string): Promise<string> {
    return (await run("bash", ["-ec", script], { cwd: this.#folder, env: this.#environment })).stdout
  }

  /** Starts a command that keeps running, until a line that it prints fits. */
  async start(command: string, fits: RegExp): Promise<Running> {
    // `script` gives the command a terminal, and passes the keys of its own input on.
    const options = { cwd: this.#folder, env: this.#environment, detached: true } as const
    // With a size: programs that draw progress loop for ever in a terminal without columns.
    const child = spawn("script", ["-qec", `stty cols 120 rows 40; ${command}`, "/dev/null"], options)
    const ended = once(child, "close")
    const signal = (name: NodeJS.Signals): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, name)
    }
    let printed = ""
    child.stderr.on("data", (text) => {
      printed += text
    })
    const { promise: line, resolve } = Promise.withResolvers<string>()
    createInterface(child.stdout).on("line", (text) => {
      printed += `${text}\n`
      if (fits.test(text)) resolve(text)
    })
    const failed = ended.then(() => Promise.reject(new Error(`${command} ended: ${printed}`)))
    failed.catch(() => {})
    return {
      line: await Promise.race([line, failed]),
      printed: () => printed,
      async pressCtrlC() {
        child.stdin.write("\x03")
        await ended
      },
      async [Symbol.asyncDispose]() {
        signal("SIGKILL")
        await ended
      },
    }
  }
}

export interface Running extends AsyncDisposable {
  readonly line: string
  /** Everything that it has printed so far. */
  readonly printed: () => string
  /** Resolves when every process of the command has ended. */
  pressCtrlC(): Promise<void>
}
