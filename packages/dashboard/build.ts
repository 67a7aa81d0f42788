/**
 * Builds the dashboard if its sources have changed since the last build.
 * Compresses every asset at the highest level, so that the service never compresses at run time.
 */
import { createHash } from "node:crypto"
import { glob, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { z } from "zod"

const FOLDER = import.meta.dirname
const STAMP = join(FOLDER, "dist", "built-from")
const SOURCES = ["index.html", "*.ts", "package.json", "public/**/*", "src/**/*", "../client/src/**/*.ts"]
/** Everything that a page loads. Icons of a home screen are the system's to keep. */
const PAGE_FILES = "assets/*.{js,css,svg,webmanifest}"

export async function buildDashboard(): Promise<"built" | "up to date"> {
  const digest = await digestSources()
  if ((await readStamp()) === digest) return "up to date"
  // Imported only here, because running an existing build needs no bundler.
  const { build } = await import("vite").catch(explainMissing)
  await inProduction(() => build({ root: FOLDER, logLevel: "warn" }))
  await inProduction(async () => writeFile(join(FOLDER, "dist", "chat.html"), await buildChatPage(FOLDER)))
  await inProduction(() => buildWorker(FOLDER))
  for await (const path of glob(PAGE_FILES, { cwd: join(FOLDER, "dist") })) await compress(join(FOLDER, "dist", path))
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

/** Writes the compressed files beside a file. */
export async function compress(path: string): Promise<void> {
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

/** Builds the service worker as one script, which knows the files of this version. */
async function buildWorker(folder: string): Promise<void> {
  const dist = join(folder, "dist")
  const files = (await Array.fromAsync(glob(PAGE_FILES, { cwd: dist }))).sort()
  const hash = createHash("sha256")
  for (const file of ["index.html", ...files]) hash.update(await readFile(join(dist, file)))
  const { build } = await import("vite")
  await build({
    root: folder,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: {
      SHELL_FILES: JSON.stringify(files.map((file) => `/${file}`)),
      SHELL_VERSION: JSON.stringify(hash.digest("base64url").slice(0, 12)),
    },
    build: {
      target: "es2024",
      outDir: join(dist, "assets"),
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(folder, "src", "worker", "worker.ts"),
        output: { format: "iife", entryFileNames: "worker.js" },
      },
    },
  })
}

const OutputSchema = z.object({
  output: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("chunk"), code: z.string() }),
      z.object({ type: z.literal("asset"), fileName: z.string(), source: z.string() }),
    ]),
  ),
})

/** The view that chats show as one document, which loads nothing: hosts block every address. */
async function buildChatPage(folder: string): Promise<string> {
  const { build } = await import("vite")
  const built = await build({ root: folder, configFile: join(folder, "vite.chat.config.ts"), logLevel: "warn" })
  const parts = OutputSchema.parse(built).output
  const scripts = parts.flatMap((part) => (part.type === "chunk" ? [part.code] : []))
  const styles = parts.flatMap((part) => (part.type === "asset" ? [part.source] : []))
  const [script, ...others] = scripts
  if (script === undefined || others.length > 0) throw new Error("the view of chats must be built as one script")
  return documentOf(script, styles.join("\n"))
}

/** The text in it is what a person sees if the script cannot run. */
const documentOf = (script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Restwell chart</title>
<style>${style.replaceAll("</", "<\\/")}</style>
</head>
<body>
<main id="root"><h1>The chart did not load</h1><p>The answer has the same figures.</p></main>
<script type="module">${insideScript(script)}</script>
</body>
</html>
`

/** Neither ends the element nor opens a comment. HTML standard, 4.12.1.3 "Restrictions for contents of script elements" */
const insideScript = (code: string): string => code.replaceAll("</script", "<\\/script").replaceAll("<!--", "\\x3C!--")
