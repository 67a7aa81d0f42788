import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { architectureFaults } from "../scripts/check/architecture.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "restwell-architecture-"))
})
afterEach(() => rm(root, { recursive: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

test("the repository keeps its own rules", async () => {
  expect(await architectureFaults()).toEqual([])
})

test.each([
  [
    "an import upward",
    "packages/client/src/a.ts",
    'import { x } from "@restwell/core"',
    /client must not import @restwell\/core/,
  ],
  [
    "a door that touches the store",
    "packages/server/src/a.ts",
    'import { sql } from "kysely"',
    /door never touches the store/,
  ],
  [
    "a reach inside another package",
    "packages/core/src/a.ts",
    'import { x } from "@restwell/client/src/x.ts"',
    /reaches inside/,
  ],
  [
    "a path out of its package",
    "packages/core/src/a.ts",
    'import { x } from "../../client/src/x.ts"',
    /leaves its package/,
  ],
  [
    "the simulator in the service",
    "packages/server/src/a.ts",
    'import { x } from "@restwell/simulator"',
    /only the demo/,
  ],
  ["the time read in the middle", "packages/core/src/a.ts", "export const now = Date.now()", /reads the time/],
  ["a package without a layer", "packages/utils/src/a.ts", "export const x = 1", /no layer/],
])("finds %s", async (_, path, text, fault) => {
  await write(path, `${text}\n`)
  expect((await architectureFaults(root)).join("\n")).toMatch(fault)
})

test("finds imports in a circle, and lets types alone", async () => {
  await write("packages/core/src/a.ts", 'import { b } from "./b.ts"\n')
  await write("packages/core/src/b.ts", 'import type { A } from "./a.ts"\n')
  expect(await architectureFaults(root)).toEqual([])
  await write("packages/core/src/b.ts", 'import { a } from "./a.ts"\n')
  expect((await architectureFaults(root)).join("\n")).toMatch(/in a circle/)
})
