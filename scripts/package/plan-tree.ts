/**
 * Decides which packages go into the published one, and where: the server becomes its root, and everything that the server needs stands in
 * its node_modules, in the versions of the lock file. Packages made for one platform stay outside: npm fetches those that fit.
 */
import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { type Manifest, readManifest } from "./manifest.ts"

/** A package that is copied: from a folder of the repository, to a folder of the published package. */
export interface Placed {
  readonly name: string
  readonly from: string
  /** Relative to the published package. Empty for its root. */
  readonly to: string
  readonly manifest: Manifest
}

export interface Tree {
  readonly placed: readonly Placed[]
  /** Versions of the packages that are made for one platform. */
  readonly platforms: Readonly<Record<string, string>>
}

export async function planTree(root: string): Promise<Tree> {
  const placed = new Map<string, Placed>([["", await describe(root, "")]])
  const platforms: Record<string, string> = {}
  // A Map lists what is added while it is read.
  for (const parent of placed.values()) {
    Object.assign(platforms, parent.manifest.optionalDependencies)
    for (const name of needsOf(parent.manifest)) {
      const from = findInstalled(parent.from, name)
      if (lookUp(placed, parent.to, name)?.from === from) continue
      const to = lookUp(placed, parent.to, name) ? inside(parent.to, name) : inside("", name)
      placed.set(to, await describe(from, to))
    }
  }
  expectRightVersions(placed)
  return { placed: [...placed.values()], platforms }
}

async function describe(from: string, to: string): Promise<Placed> {
  const manifest = await readManifest(from)
  if (manifest.os !== undefined)
    throw new Error(`${manifest.name} is made for one platform: list it as an optional dependency`)
  return { name: manifest.name, from, to, manifest }
}

/** Names what a package loads. Optional dependencies are those of one platform. */
function needsOf(manifest: Manifest): string[] {
  const { dependencies, peerDependencies, peerDependenciesMeta, optionalDependencies } = manifest
  if (isBuilt(manifest)) return []
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...peers].filter((name) => !(name in optionalDependencies))
}

/** Says whether only the build of one of our packages is published: its dependencies are those of the build. */
export const isBuilt = ({ private: isOurs, files }: Manifest): boolean =>
  isOurs === true && files !== undefined && files.every((folder) => folder === "dist")

const inside = (folder: string, name: string): string => join(folder, "node_modules", name)

/** Finds the package that Node would load from a folder of the repository. */
function findInstalled(from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = inside(folder, name)
    if (existsSync(candidate)) return realpathSync(candidate)
    if (folder === dirname(folder)) throw new Error(`${name}, which ${from} needs, is not installed: run npm ci`)
  }
}

/** Finds the package that Node will load from a folder of the published package. */
function lookUp(placed: ReadonlyMap<string, Placed>, from: string, name: string): Placed | undefined {
  const folders = [from]
  for (let at = from.lastIndexOf("node_modules/"); at >= 0; at = from.lastIndexOf("node_modules/", at - 1)) {
    const outer = from.slice(0, Math.max(0, at - 1))
    folders.push(outer)
    if (at === 0) break
  }
  return folders.map((folder) => placed.get(inside(folder, name))).find((found) => found !== undefined)
}

/** A package placed late may hide another one from a package placed before. */
function expectRightVersions(placed: ReadonlyMap<string, Placed>): void {
  for (const { from, to, manifest } of placed.values())
    for (const name of needsOf(manifest))
      if (lookUp(placed, to, name)?.from !== findInstalled(from, name))
        throw new Error(`${to || "the server"} would load another ${name} than in the repository`)
}
