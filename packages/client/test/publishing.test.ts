/** What the tools of the field say about the package as npm would get it. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { afterAll, beforeAll, expect, it } from "vitest"
import { buildPackage, run, temporaryFolder } from "./built-package.ts"

const built = await temporaryFolder()
const folder = join(built.path, "package")

beforeAll(async () => {
  await buildPackage(folder)
  await run("npm", ["pack", folder, "--pack-destination", built.path])
})

afterAll(() => built[Symbol.asyncDispose]())

it("publint finds nothing", async () => {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true })
  expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
})

it("its types are what programs get, however they resolve modules", async () => {
  const tarball = (await readdir(built.path)).find((name) => name.endsWith(".tgz")) ?? "no tarball"
  const result = await checkPackage(createPackageFromTarballData(await readFile(join(built.path, tarball))))
  if (result.types === false) throw new Error("the package has no types")
  // The package is an ECMAScript module alone and has `exports`: neither `require` nor a resolution without `exports` is promised.
  const faults = result.problems.filter(
    (problem) =>
      problem.kind !== "CJSResolvesToESM" && !("resolutionKind" in problem && problem.resolutionKind === "node10"),
  )
  expect(faults).toEqual([])
})
