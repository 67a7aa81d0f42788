import { expect } from "vitest"
import type { Fence } from "../read-fences.ts"
import { checkCrontab, checkShell } from "./check-commands.ts"
import { checkAssistantFile, checkConnectorUrl } from "./check-connector.ts"
import {
  checkCaddyfile,
  checkEventExample,
  checkGrafana,
  checkHomeAssistant,
  checkMistakes,
  checkN8n,
  checkOwnEntries,
  checkPgBouncer,
  checkPrometheus,
  checkPush,
  checkRecordExample,
  checkTrendExample,
} from "./check-files.ts"
import { checkAppsScript, checkPython, checkWebhookReceiver } from "./check-programs.ts"
import { checkTypeScript } from "./check-typescript.ts"
import type { RunningService } from "./running-service.ts"

type Check = (text: string, service: RunningService) => Promise<void>

/** How a block is verified, by its language and by text that it has. */
const CHECKS: readonly (readonly [language: string, has: string, Check])[] = [
  ["sh", "", checkShell],
  ["python", "", checkPython],
  ["ts", "", checkTypeScript],
  ["js", "UrlFetchApp", checkAppsScript],
  ["js", "standardwebhooks", checkWebhookReceiver],
  ["yaml", "rest:", checkHomeAssistant],
  ["yaml", "datasources:", checkGrafana],
  ["yaml", "scrape_configs:", checkPrometheus],
  // test/home-assistant checks the automations.
  ["yaml", "triggers:", async () => {}],
  ["ini", "[pgbouncer]", checkPgBouncer],
  ["json", '"n8n-nodes-base', checkN8n],
  ["json", '"restwell": {', checkAssistantFile],
  ["json", '"slope_per_30_days"', checkTrendExample],
  ["json", '"recovery.scored"', checkEventExample],
  ["json", '"factor": "own:', checkOwnEntries],
  ["json", '"records": [', (text, service) => checkPush("/api/ingest/records", text, service)],
  ["json", '"chosen_because"', checkRecordExample],
  ["text", "* * * curl", checkCrontab],
  ["text", "Restwell is ready", checkDemoLines],
  // test/first-steps compares it with what a start prints.
  ["text", "Restwell is running", async () => {}],
  ["text", "reverse_proxy", checkCaddyfile],
  ["text", "/api/mcp/oauth", (text, { fill }) => checkConnectorUrl(fill(text.trim()))],
  ["text", "restwell: the settings have", checkMistakes],
  // A drawing of the architecture.
  ["text", "──>", async () => {}],
]

/** @throws if the block does not work, or if nothing verifies it */
export async function checkFence({ language, text }: Fence, service: RunningService): Promise<void> {
  const found = CHECKS.find(([ofLanguage, has]) => ofLanguage === (language || "text") && text.includes(has))
  if (!found) throw new Error("nothing verifies this block: add a check to test/manual/snippets/check-fence.ts")
  await found[2](text, service)
}

/** `npm run test:first-steps` reads the demo's real lines. Here its request works and the address is the connector's. */
async function checkDemoLines(text: string, service: RunningService): Promise<void> {
  const curl = /^ *curl .*$/m.exec(text)?.[0] ?? ""
  await checkShell(`${curl.trim()}\n`, service)
  const connector = /Connector +(\S+),/.exec(service.fill(text))?.[1]
  expect(connector).toBeDefined()
  await checkConnectorUrl(connector ?? "")
}
