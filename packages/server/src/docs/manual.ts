import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { z } from "zod"

/** The built manual. */
export interface Manual {
  /** Folder of its pages, scripts and styles. */
  readonly folder: string
  /** Hashes of its inline scripts, as sources of a Content-Security-Policy. */
  readonly scriptHashes: readonly string[]
  /** The list of pages for assistants. */
  readonly llms: string
}

const HashesSchema = z.array(z.string().regex(/^'sha256-[\w+/=]+'$/))

/** Returns the built manual, or undefined where none was built: the service works without it. */
export async function readManual(): Promise<Manual | undefined> {
  const dist = join(dirname(fileURLToPath(import.meta.resolve("@restwell/manual/package.json"))), "dist")
  const folder = join(dist, "site")
  try {
    const [hashes, llms] = await Promise.all([
      readFile(join(dist, "script-hashes.json"), "utf8"),
      readFile(join(folder, "llms.txt"), "utf8"),
    ])
    return { folder, scriptHashes: HashesSchema.parse(JSON.parse(hashes)), llms }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined
    throw error
  }
}
