import { spawn } from "node:child_process"
import { printLine } from "../process/logger.ts"

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
