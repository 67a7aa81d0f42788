/** Builds the package with its own script into a folder of its own, so that tests at the same time do not meet. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const run = promisify(execFile)

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url))

/** An empty folder that is removed at the end of the scope. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "restwell-client-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Builds what is published into `folder`. */
export async function buildPackage(folder: string): Promise<void> {
  await run("npm", ["run", "build", "--workspace", "packages/client", "--", folder], { cwd: REPOSITORY })
}
