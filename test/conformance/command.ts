/** The command line of the conformance suite, as a process of its own. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const CLI = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

interface CommandOptions {
  readonly timeLimitMs: number
  /** Called with each line that it writes. A rejection ends the command. */
  readonly onLine?: (line: string) => Promise<void> | undefined
}

/** Returns the output. The exit code is ignored, because the result files say which checks failed. */
export async function runCommand(args: readonly string[], { timeLimitMs, onLine }: CommandOptions): Promise<string> {
  const lines: string[] = []
  const { promise: refused, reject } = Promise.withResolvers<never>()
  const reactions: Promise<void>[] = []
  const child = spawn(process.execPath, [CLI, ...args], {
    signal: AbortSignal.timeout(timeLimitMs),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
  child.once("error", reject)
  const read = (line: string): void => {
    lines.push(line)
    const reaction = onLine?.(line)
    reaction?.catch(reject)
    if (reaction) reactions.push(reaction)
  }
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on("line", read)
  try {
    await Promise.race([closed, refused])
    await Promise.all(reactions)
  } catch (cause) {
    throw new Error(`the conformance suite was ended: ${args.join(" ")}\n${lines.join("\n")}`, { cause })
  } finally {
    child.kill()
    await closed
  }
  return lines.join("\n")
}
