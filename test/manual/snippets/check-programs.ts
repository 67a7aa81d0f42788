/** Snippets in Python and Apps Script. */
import { expect } from "vitest"
import type { RunningService } from "./running-service.ts"

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
