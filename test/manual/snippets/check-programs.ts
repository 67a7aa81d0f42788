/** Snippets in Python and Apps Script. */
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { reservePort } from "@restwell/testing/port"
import { Webhook } from "standardwebhooks"
import { expect } from "vitest"
import { REPOSITORY, type RunningService } from "./running-service.ts"

/** "2026-11-19 7.9", as several snippets print. */
const DATE_AND_VALUE = /^\d{4}-\d\d-\d\d .*\d/m

/** Does nothing on a machine without Python. */
export async function checkPython(code: string, service: RunningService): Promise<void> {
  const printed = await service.run("python3", ["-c", service.fill(code)]).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  })
  if (printed !== undefined) expect(printed).toMatch(DATE_AND_VALUE)
}

/** What Google gives an Apps Script, with real requests. `rows` is what the sheet has at the end. */
const APPS_SCRIPT = `
const { execFileSync } = require("node:child_process")
const UrlFetchApp = { fetch: (url, { headers }) => {
  const lines = Object.entries(headers).flatMap(([name, value]) => ["-H", name + ": " + value])
  const text = execFileSync("curl", ["-sS", "--fail-with-body", ...lines, url], { encoding: "utf8" })
  return { getContentText: () => text }
} }
const sheet = { getRange: (row, column, height, width) => ({ setValues: (rows) => {
  if (rows.length !== height || rows.some((each) => each.length !== width)) throw new Error("the range has another size")
  for (const each of rows) console.log(each.join(" "))
} }) }
const SpreadsheetApp = { getActiveSheet: () => sheet }
`

export async function checkAppsScript(code: string, service: RunningService): Promise<void> {
  const program = `${APPS_SCRIPT}${service.fill(code)}\nrestwell()`
  const printed = await service.run(process.execPath, ["--input-type=commonjs", "--eval", program])
  expect(printed).toMatch(DATE_AND_VALUE)
}

/** Takes a request that is signed with the secret, and refuses one that was changed. */
export async function checkWebhookReceiver(code: string): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`
  using reserved = reservePort()
  const { port } = reserved
  const program = spawn(process.execPath, ["--input-type=module", "--eval", code.replace("8000", String(port))], {
    cwd: REPOSITORY,
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  })
  try {
    const printed = text(program.stdout)
    const body = JSON.stringify({ type: "sleep.scored", data: { source: "whoop", date: "2026-11-20" } })
    const at = new Date()
    const headers = {
      "webhook-id": "one",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign("one", at, body),
    }
    const send = (sent: string) => fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: sent })
    await expect.poll(async () => (await send(body).catch(() => undefined))?.status).toBe(204)
    expect((await send(body)).status).toBe(204)
    expect((await send(body.replace("whoop", "oura"))).status).toBe(401)
    program.kill()
    expect(await printed).toBe("sleep.scored whoop 2026-11-20\n")
  } finally {
    program.kill()
  }
}
