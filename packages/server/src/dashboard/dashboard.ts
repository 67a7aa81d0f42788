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
export const PUBLIC_PAGES = ["/sign-in", "/sign-up", "/forgot-password", "/reset", "/invite"] as const
export const MEMBER_PAGES = [
  "/",
  "/start",
  "/trends",
  "/insights",
  "/developer",
  "/connections",
  "/sources",
  "/account",
  "/service",
] as const

const builtFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve("@restwell/dashboard/package.json"))), "dist")

/** @throws {Error} when the dashboard was not built */
export const readDashboard = async (): Promise<Dashboard> => ({
  html: await readBuilt("index.html"),
  assetsFolder: join(builtFolder(), "assets"),
})

/** The view that draws charts inside chats, as one document. @throws {Error} when the dashboard was not built */
export const readChatPage = (): Promise<string> => readBuilt("chat.html")

async function readBuilt(file: string): Promise<string> {
  try {
    return await readFile(join(builtFolder(), file), "utf8")
  } catch (cause) {
    throw new Error("the dashboard was not built: run `npm run build` first", { cause })
  }
}
