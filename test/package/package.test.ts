import { rm } from "node:fs/promises"
import { makeFolder } from "@restwell/testing/database"
import { expect, test } from "vitest"
import { tryPackage } from "./try-package.ts"

test("the package installs in an empty folder, the demo's curl line returns data, and the command for Claude Desktop works", {
  timeout: 300_000,
}, async () => {
  const folder = await makeFolder("package")
  try {
    const tried = await tryPackage(folder)
    expect(tried).toMatchObject({ version: "0.1.0", endsWhole: true })
    expect(tried.records).toBeGreaterThan(0)
    expect(tried.tools).toBeGreaterThan(0)
    expect(tried.megabytes).toBeLessThan(330)
    expect(tried.megabytesWithoutNode).toBeLessThan(150)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
