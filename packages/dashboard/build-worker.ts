/** Builds the service worker as one script, which knows the files of this version. */
import { createHash } from "node:crypto"
import { glob, readFile } from "node:fs/promises"
import { join } from "node:path"

/** Everything that a page loads. Icons of a home screen are the system's to keep. */
const SHELL_FILES = "assets/*.{js,css,svg,webmanifest}"

export async function buildWorker(folder: string): Promise<void> {
  const dist = join(folder, "dist")
  const files = (await Array.fromAsync(glob(SHELL_FILES, { cwd: dist }))).sort()
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
