import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The built dashboard: one document for every path, and the folder of its assets. */
export interface Dashboard {
  readonly html: string
  /** Scripts, styles and images, each beside its compressed files. */
  readonly assetsFolder: string
}

/** Paths of the dashboard's pages, the same as in `dashboard/src/app.tsx`. The public ones need no session. */
export const PUBLIC_PAGES = ["/sign-in", "/sign-up"] as const
export const MEMBER_PAGES = [
  "/",
  "/start",
  "/trends",
  "/insights",
  "/developer",
  "/connections",
  "/sources",
  "/account",
] as const

/** @throws {Error} when the dashboard was not built */
export async function readDashboard(): Promise<Dashboard> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@restwell/dashboard/package.json"))), "dist")
  try {
    return { html: await readFile(join(folder, "index.html"), "utf8"), assetsFolder: join(folder, "assets") }
  } catch (cause) {
    throw new Error("the dashboard was not built: run `npm run build` first", { cause })
  }
}
