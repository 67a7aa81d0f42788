/** `npm run package`: writes dist/restwell-VERSION.tgz, which npm installs without this repository. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import rootManifest from "../package.json" with { type: "json" }
import { buildDashboard } from "../packages/dashboard/build.ts"
import { buildManual } from "../packages/manual/build.ts"
import { stagePackage } from "./package/stage-package.ts"

const REPOSITORY = join(import.meta.dirname, "..")

/** Returns the path of the package. */
export async function writePackage(folder: string): Promise<string> {
  await buildDashboard()
  await buildManual()
  const work = await mkdtemp(join(tmpdir(), "restwell-package-"))
  try {
    await stagePackage(join(work, "package"))
    await mkdir(folder, { recursive: true })
    await promisify(execFile)("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
      cwd: join(work, "package"),
      maxBuffer: Number.POSITIVE_INFINITY,
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return join(folder, `${rootManifest.name}-${rootManifest.version}.tgz`)
}

if (import.meta.main) {
  const path = await writePackage(resolve(process.argv[2] ?? join(REPOSITORY, "dist")))
  process.stdout.write(`${path}\n`)
}
