/** The command line of the conformance suite, as a process of its own. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const CLI = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

interface CommandOptions {
  readonly timeLimitMs: number
  /** Called with each line that it writes; a rejection ends the command. */
  readonly onLine?: (line: string) => Promise<void> | undefined
}

/** What the command wrote. Its exit code says whether a check failed, which the result files say better. */
export async function runCommand(
  args: readonly string[],
  { timeLimitMs, onLine }: CommandOptions,
): Promise<{ output: string }> {
  const limit = AbortSignal.timeout(timeLimitMs)
  const { promise: refused, reject } = Promise.withResolvers<never>()
  const child = spawn(process.execPath, [CLI, ...args], { signal: limit, stdio: ["ignore", "pipe", "pipe"] })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line)
      onLine?.(line)?.catch(reject)
    })
  }
  const closed = new Promise<void>((resolve, fail) => {
    child.once("close", () => resolve())
    child.once("error", fail)
  })
  try {
    await Promise.race([closed, refused])
  } catch (cause) {
    throw new Error(`the conformance suite was ended: ${args.join(" ")}\n${lines.join("\n")}`, { cause })
  } finally {
    child.kill()
  }
  return { output: lines.join("\n") }
}
