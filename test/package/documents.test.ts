import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"

const REPOSITORY = join(import.meta.dirname, "..", "..")
const DOCUMENTS = [
  "*.md",
  "docs/**/*.md",
  "packages/*/README.md",
  "deploy/**/*.md",
  "packages/{server,dashboard}/src/**/*.{ts,tsx}",
]
/** Without a file or folder, npx would fetch whatever somebody else publishes under the name. */
const SAFE =
  /npx (?:\.\/|\/)\S*restwell-\S+\.tgz|npm install [^\n]*restwell-\S*\.tgz|in the folder where the package is installed/

test("no document runs npx restwell without a file or a folder where it is installed", async () => {
  const unsafe: string[] = []
  for await (const path of glob(DOCUMENTS, { cwd: REPOSITORY })) {
    const lines = (await readFile(join(REPOSITORY, path), "utf8")).split("\n")
    for (const [index, line] of lines.entries()) {
      if (!/npx (?:-\S+ )*restwell\b/.test(line)) continue
      // The install of the file stands on the line itself or on one of the two before.
      if (!SAFE.test(lines.slice(Math.max(0, index - 2), index + 1).join("\n"))) unsafe.push(`${path}: ${line.trim()}`)
    }
  }
  expect(unsafe).toEqual([])
})
