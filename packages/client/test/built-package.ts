/** Builds the package with its own script into a temporary folder, so that parallel tests do not interfere. */
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const run = promisify(execFile)

/** The root of the repository. */
export const REPOSITORY = fileURLToPath(new URL("../../..", import.meta.url))

/** Creates an empty folder, removed at the end of the scope. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "restwell-client-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Builds the published package into `folder`. */
export async function buildPackage(folder: string): Promise<void> {
  await run("npm", ["run", "build", "--workspace", "packages/client", "--", folder], { cwd: REPOSITORY })
}
