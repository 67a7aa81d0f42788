import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The built page: one document for every path, and the folder of what it loads. */
export interface Dashboard {
  readonly html: string
  /** Scripts, styles and pictures, each beside its compressed forms. */
  readonly assetsFolder: string
}

/** Paths that the page answers itself: `dashboard/src/app.tsx` has the same. The first ones need no session. */
export const PUBLIC_PAGES = ["/sign-in", "/sign-up"] as const
export const MEMBER_PAGES = ["/", "/start", "/trends", "/developer", "/connections", "/account"] as const

/** Reads the built page. @throws {Error} in words when it was not built */
export async function readDashboard(): Promise<Dashboard> {
  const folder = join(dirname(fileURLToPath(import.meta.resolve("@restwell/dashboard/package.json"))), "dist")
  try {
    return { html: await readFile(join(folder, "index.html"), "utf8"), assetsFolder: join(folder, "assets") }
  } catch (cause) {
    throw new Error("the dashboard was not built: run `npm run build` first", { cause })
  }
}
