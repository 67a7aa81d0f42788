/**
 * Builds the dashboard if its sources have changed since the last build.
 * Compresses every asset at the highest level, so that the service never compresses at run time.
 */
import { createHash } from "node:crypto"
import { glob, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { buildWorker } from "./build-worker.ts"
import { buildChatPage } from "./chat-page.ts"

const FOLDER = import.meta.dirname
const STAMP = join(FOLDER, "dist", "built-from")
const SOURCES = ["index.html", "*.ts", "package.json", "public/**/*", "src/**/*", "../client/src/**/*.ts"]
const COMPRESSED = "assets/*.{js,css,svg,webmanifest}"

export async function buildDashboard(): Promise<"built" | "up to date"> {
  const digest = await digestSources()
  if ((await readStamp()) === digest) return "up to date"
  // Imported only here, because running an existing build needs no bundler.
  const { build } = await import("vite").catch(explainMissing)
  await inProduction(() => build({ root: FOLDER, logLevel: "warn" }))
  await inProduction(async () => writeFile(join(FOLDER, "dist", "chat.html"), await buildChatPage(FOLDER)))
  await inProduction(() => buildWorker(FOLDER))
  for await (const path of glob(COMPRESSED, { cwd: join(FOLDER, "dist") })) await compress(join(FOLDER, "dist", path))
  await writeFile(STAMP, digest)
  return "built"
}

/** Sets NODE_ENV, in a test run too: with React's development checks the page would be twice as large. */
async function inProduction(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV } = process.env
  process.env["NODE_ENV"] = "production"
  try {
    await work()
  } finally {
    if (NODE_ENV === undefined) delete process.env["NODE_ENV"]
    else process.env["NODE_ENV"] = NODE_ENV
  }
}

async function digestSources(): Promise<string> {
  const hash = createHash("sha256")
  const paths = await Array.fromAsync(glob(SOURCES, { cwd: FOLDER }))
  for (const path of paths.sort()) {
    const content = await readFile(join(FOLDER, path)).catch(ignoreFolder)
    if (content) hash.update(path).update("\0").update(content)
  }
  return hash.digest("hex")
}

function ignoreFolder(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "EISDIR") return undefined
  throw error
}

async function readStamp(): Promise<string | undefined> {
  try {
    return await readFile(STAMP, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }))
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }))
}

function explainMissing(cause: unknown): never {
  throw new Error(
    "the dashboard is not built and its bundler is not installed: install without --omit=dev to build it",
    {
      cause,
    },
  )
}
