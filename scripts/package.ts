/** `npm run package`: writes dist/restwell-VERSION.tgz and dist/restwell-client-VERSION.tgz, which npm installs without this repository. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import rootManifest from "../package.json" with { type: "json" }
import clientManifest from "../packages/client/package.json" with { type: "json" }
import { buildPages } from "./build.ts"
import { stagePackage } from "./package/stage-package.ts"

const run = promisify(execFile)
const REPOSITORY = join(import.meta.dirname, "..")

/** Returns the path of the package. */
export async function writePackage(folder: string): Promise<string> {
  await buildPages()
  const work = await mkdtemp(join(tmpdir(), "restwell-package-"))
  try {
    await stagePackage(join(work, "package"))
    await mkdir(folder, { recursive: true })
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
      cwd: join(work, "package"),
      maxBuffer: Number.POSITIVE_INFINITY,
    })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return join(folder, `${rootManifest.name}-${rootManifest.version}.tgz`)
}

/** Returns the path of the client's package. */
export async function writeClient(folder: string): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), "restwell-client-"))
  try {
    await run(process.execPath, [join(REPOSITORY, "packages", "client", "build.ts"), join(work, "package")])
    await mkdir(folder, { recursive: true })
    await run("npm", ["pack", "--pack-destination", folder], { cwd: join(work, "package") })
  } finally {
    await rm(work, { recursive: true, force: true })
  }
  return join(folder, `restwell-client-${clientManifest.version}.tgz`)
}

if (import.meta.main) {
  const folder = resolve(process.argv[2] ?? join(REPOSITORY, "dist"))
  const [service, client] = [await writePackage(folder), await writeClient(folder)]
  process.stdout.write(`Restwell:          ${service}\nThe typed client:  ${client}\n`)
}
