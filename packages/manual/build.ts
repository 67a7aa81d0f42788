/** Builds the manual if its text has changed since the last build: `npm run build`, and before a start. */
import { createHash } from "node:crypto"
import { glob, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { finishSite } from "./src/finish-site.ts"
import { PAGES } from "./src/site-map.ts"
import { stagePages } from "./src/stage-pages.ts"

const FOLDER = import.meta.dirname
const REPOSITORY = join(FOLDER, "../..")
const DIST = join(FOLDER, "dist")
const STAMP = join(DIST, "built-from")
const SOURCES = ["build.ts", "package.json", "src/*.ts", ".vitepress/*.ts", ".vitepress/theme/*"]

export async function buildManual(): Promise<"built" | "up to date"> {
  const digest = await digestSources()
  if ((await readFile(STAMP, "utf8").catch(() => "")) === digest) return "up to date"
  // Imported only here, because running an existing build needs no generator.
  const [{ build }, { codeColours }] = await Promise.all([import("vitepress"), import("./src/code-colours.ts")]).catch(
    explainMissing,
  )
  await rm(DIST, { recursive: true, force: true })
  await mkdir(DIST, { recursive: true })
  await stagePages(REPOSITORY, join(DIST, "pages"))
  await build(FOLDER)
  await finishSite(DIST, codeColours.getCSS())
  // dist is published, so it keeps only what the service serves.
  for (const folder of ["pages", "cache"]) await rm(join(DIST, folder), { recursive: true, force: true })
  await writeFile(STAMP, digest)
  return "built"
}

async function digestSources(): Promise<string> {
  const hash = createHash("sha256")
  const own = await Array.fromAsync(glob(SOURCES, { cwd: FOLDER }))
  const paths = [...own.map((path) => join(FOLDER, path)), ...PAGES.map(({ source }) => join(REPOSITORY, source))]
  for (const path of paths.sort())
    hash
      .update(path.slice(REPOSITORY.length))
      .update("\0")
      .update(await readFile(path))
  return hash.digest("hex")
}

function explainMissing(cause: unknown): never {
  throw new Error(
    "the manual is not built and its generator is not installed: install without --omit=dev to build it",
    {
      cause,
    },
  )
}

/** An install without the generator continues. The service then has no manual, and the build may be copied in later. */
const isInstall = process.env["npm_lifecycle_event"] === "prepare"

if (import.meta.main)
  await buildManual().catch((error: unknown) => {
    if (!isInstall || !(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n`)
  })
