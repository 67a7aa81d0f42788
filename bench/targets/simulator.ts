import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { end } from "./child.ts"

const PROGRAM = new URL("../../packages/simulator/src/cli.ts", import.meta.url).pathname

export const EMAIL = "lena@example.com"

/** Starts the simulated vendor in its own process. @param days of history of each person */
export async function startSimulator(days: number): Promise<AsyncDisposable & { readonly url: string }> {
  const args = ["--port", "0", "--days", String(days), "--no-rate-limits", "--auto-approve", EMAIL]
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "inherit"] })
  for await (const line of createInterface(child.stdout)) {
    const url = /simulator at (http:\/\/[^,\s]+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return { url, [Symbol.asyncDispose]: () => end(child, "SIGKILL") }
  }
  throw new Error("the simulator did not start")
}
