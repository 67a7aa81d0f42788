/** `npm run test:package`: with an empty npm cache, as on a new machine. Downloads about 100 MB. */

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { expect, test } from "vitest"
import { tryPackage } from "./try-package.ts"

test("with an empty npm cache the package installs, the demo's curl line returns data, and the command for Claude Desktop works", async () => {
  const folder = await makeFolder("package-cold")
  try {
    const tried = await tryPackage(folder, join(folder, "cache"))
    process.stdout.write(`${JSON.stringify(tried)}\n`)
    expect(tried).toMatchObject({ version: "0.1.0", endsWhole: true })
    expect(tried.records).toBeGreaterThan(0)
    expect(tried.tools).toBeGreaterThan(0)
    expect(tried.megabytes).toBeLessThan(330)
    expect(tried.megabytesWithoutNode).toBeLessThan(150)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
