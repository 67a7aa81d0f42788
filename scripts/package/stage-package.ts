import { cp, mkdir, rm, writeFile } from "node:fs/promises"
import { join, sep } from "node:path"
import rootManifest from "../../package.json" with { type: "json" }
import { copyLibrary } from "./copy-library.ts"
import { copyWorkspace } from "./copy-workspace.ts"
import { expectWholeImports } from "./expect-whole-imports.ts"
import { findLoadedFiles } from "./loaded-files.ts"
import type { Manifest } from "./manifest.ts"
import { isBuilt, type Placed, planTree, type Tree } from "./plan-tree.ts"

const REPOSITORY = join(import.meta.dirname, "..", "..")
const SERVER = join(REPOSITORY, "packages", "server")
/** What README, the help and the messages refer to. */
const DOCUMENTS = [
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "docs",
  "deploy",
]
/** The program starts the right Node.js itself, so an older one may run npm. */
const OLDEST_NODE = ">=20"

/** Writes the published package as a folder. Dashboard and manual must be built. */
export async function stagePackage(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target, { recursive: true })
  const tree = await planTree(SERVER)
  const loaded = await findLoadedFiles(join(SERVER, "bin", "restwell.js"))
  for (const placed of tree.placed)
    await (isOurs(placed) ? stageWorkspace(placed, target) : copyLibrary(placed, target, loaded))
  for (const name of DOCUMENTS) await cp(join(REPOSITORY, name), join(target, name), { recursive: true })
  await writeManifest(target, rootOf(tree))
  await expectWholeImports(target, tree.placed.filter(isOurs))
}

const isOurs = ({ from }: Placed): boolean =>
  from.startsWith(join(REPOSITORY, "packages") + sep) && !from.includes("node_modules")

async function stageWorkspace(placed: Placed, target: string): Promise<void> {
  await copyWorkspace(placed, target)
  if (placed.to !== "") await writeManifest(join(target, placed.to), compiled(placed.manifest))
}

/** The manifest of a workspace, with the names of compiled files and without what only the repository needs. */
function compiled(manifest: Manifest): unknown {
  const { name, version, license, type, exports, dependencies } = manifest
  const entries: unknown = JSON.parse(JSON.stringify(exports).replaceAll(/\.ts"/g, '.js"'))
  return { name, version, license, type, exports: entries, dependencies: isBuilt(manifest) ? {} : dependencies }
}

/** Libraries are in the package, so that everybody has the versions that were tested. */
function rootOf({ placed, platforms }: Tree): unknown {
  const { name, version, description, license, type, optionalDependencies } = rootManifest
  const direct = placed.filter(({ to }) => to.startsWith("node_modules/") && to.lastIndexOf("node_modules/") === 0)
  const versions = Object.fromEntries(direct.map((library) => [library.name, library.manifest.version]).sort())
  return {
    name,
    version,
    description,
    keywords: ["health", "sleep", "recovery", "hrv", "wearable", "whoop", "oura", "mcp", "self-hosted"],
    license,
    ...("repository" in rootManifest && { repository: rootManifest.repository }),
    type,
    bin: { restwell: "bin/restwell.js" },
    engines: { node: OLDEST_NODE },
    dependencies: versions,
    bundleDependencies: Object.keys(versions),
    optionalDependencies: { ...optionalDependencies, ...platforms },
  }
}

const writeManifest = (folder: string, manifest: unknown): Promise<void> =>
  writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`)
