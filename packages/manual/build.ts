/** Builds the manual if its text has changed since the last build. */
import { createHash } from "node:crypto"
import { glob, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { referencePages } from "./src/reference.ts"
import { finishSite, PAGES, stagePages } from "./src/site.ts"

const FOLDER = import.meta.dirname
const REPOSITORY = join(FOLDER, "../..")
const DIST = join(FOLDER, "dist")
const STAMP = join(DIST, "built-from")
const REFERENCE_FOLDER = join(FOLDER, "reference")
const SOURCES = ["build.ts", "package.json", "src/*.ts", ".vitepress/*.ts", ".vitepress/theme/*"]

/** @param compress writes the compressed files beside a file, so that the service never compresses at run time */
export async function buildManual(compress: (path: string) => Promise<void>): Promise<"built" | "up to date"> {
  const digest = await digestSources()
  if ((await readFile(STAMP, "utf8").catch(() => "")) === digest) return "up to date"
  // Imported only here, because running an existing build needs no generator.
  const { build } = await import("vitepress").catch(explainMissing)
  await rm(DIST, { recursive: true, force: true })
  await mkdir(DIST, { recursive: true })
  await stagePages(REPOSITORY, join(DIST, "pages"))
  await build(FOLDER)
  await finishSite(DIST)
  const site = join(DIST, "site")
  for await (const path of glob("**/*.{js,css}", { cwd: site })) await compress(join(site, path))
  // dist is published, so it keeps only what the service serves.
  for (const folder of ["pages", "cache"]) await rm(join(DIST, folder), { recursive: true, force: true })
  await writeFile(STAMP, digest)
  return "built"
}

async function digestSources(): Promise<string> {
  const own = await Array.fromAsync(glob(SOURCES, { cwd: FOLDER }))
  return digestOf([...own.map((path) => join(FOLDER, path)), ...PAGES.map(({ source }) => join(REPOSITORY, source))])
}

/** A digest of files, with their paths in the repository. */
async function digestOf(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256")
  for (const path of paths.toSorted())
    hash
      .update(path.slice(REPOSITORY.length))
      .update("\0")
      .update(await readFile(path))
  return hash.digest("hex")
}

/**
 * Writes the pages of the reference if a source of the API has changed since.
 * @param sources the files that decide what the API is @param describe returns the OpenAPI document, which takes seconds
 */
export async function writeReference(sources: readonly string[], describe: () => Promise<unknown>): Promise<void> {
  const digest = await digestOf([...sources, join(FOLDER, "src/reference.ts")])
  const stamp = join(REFERENCE_FOLDER, "made-from")
  if ((await readFile(stamp, "utf8").catch(() => "")) === digest) return
  const pages = referencePages(await describe())
  await mkdir(REFERENCE_FOLDER, { recursive: true })
  for (const [path, text] of Object.entries(pages)) await writeFile(join(REFERENCE_FOLDER, `${path}.md`), text)
  await writeFile(stamp, digest)
}

function explainMissing(cause: unknown): never {
  throw new Error(
    "the manual is not built and its generator is not installed: install without --omit=dev to build it",
    {
      cause,
    },
  )
}
