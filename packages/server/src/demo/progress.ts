import { resolve } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Config } from "../config/config.ts"
import type { DemoAccount, DemoState } from "./demo-account.ts"

const LOOK_MS = 500

const print = (text: string): boolean => process.stdout.write(`${text}\n`)
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

export interface Ready {
  readonly baseUrl: string
  readonly state: DemoState
  readonly apiKey: string
  readonly config: Pick<Config, "dataDir">
  readonly tookMs: number
}

/** Prints what a person needs to start. */
export function printReady({ baseUrl, state, apiKey, config, tookMs }: Ready): void {
  print(`
Restwell is ready, ${seconds(tookMs)} after the start.

  Open       ${baseUrl}/
  Account    ${state.email}, password ${state.password}
  API key    ${apiKey}
  Connector  ${baseUrl}/api/mcp/oauth, for assistants on this machine
  Data       ${resolve(config.dataDir)}, made up
  Set-up     done: the account owns this demo, so no set-up code is needed
  Stop       Ctrl-C

  curl -H "Authorization: Bearer ${apiKey}" "${baseUrl}/api/v1/health?type=recovery&days=7"
`)
}

/** Prints the progress of the history until it is complete. */
export async function followHistory(account: DemoAccount, startedAt: number, signal: AbortSignal): Promise<void> {
  for (let printed = ""; !signal.aborted; await wait(LOOK_MS)) {
    const histories = (await account.read()).connections.map(({ history }) => history)
    if (histories.length === 0) return
    const complete = histories.every((history) => history.complete)
    const records = histories.reduce((sum, history) => sum + history.records, 0)
    const fetched_back_to = histories.find((history) => !history.complete)?.fetched_back_to
    const line = complete
      ? `History complete: ${records} records, ${seconds(performance.now() - startedAt)} after the start. Ctrl-C stops.`
      : `History: ${records} records, back to ${fetched_back_to?.slice(0, 10) ?? "today"}`
    if (line !== printed && !(complete && printed !== "" && printed.startsWith("History complete"))) print(line)
    if (complete) return
    printed = line
  }
}
