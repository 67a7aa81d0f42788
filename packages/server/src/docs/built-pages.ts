import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { OperatorError } from "@restwell/core/operator-errors"
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

/** Returns the built manual, or undefined if it was not built: the service works without it. */
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

/** The built dashboard: one document for every path, and the folder of its assets. */
export interface Dashboard {
  readonly html: string
  /** Scripts, styles and images, each beside its compressed files. */
  readonly assetsFolder: string
}

/** Paths of the dashboard's pages, the same as in `dashboard/src/app.tsx`. The public ones need no session. */
export const PUBLIC_PAGES = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset",
  "/invite",
  "/deleted",
  "/shared",
] as const
export const MEMBER_PAGES = [
  "/",
  "/start",
  "/trends",
  "/week",
  "/report",
  "/insights",
  "/developer",
  "/connections",
  "/access",
  "/sources",
  "/notifications",
  "/account",
  "/more",
  "/service",
  "/workout",
] as const

const builtFolder = (): string =>
  join(dirname(fileURLToPath(import.meta.resolve("@restwell/dashboard/package.json"))), "dist")

class NotBuilt extends OperatorError {}

/** @throws {NotBuilt} */
export const readDashboard = async (): Promise<Dashboard> => ({
  html: await readBuilt("index.html"),
  assetsFolder: join(builtFolder(), "assets"),
})

/** The view that draws charts inside chats, as one document. @throws {NotBuilt} */
export const readChatPage = (): Promise<string> => readBuilt("chat.html")

async function readBuilt(file: string): Promise<string> {
  try {
    return await readFile(join(builtFolder(), file), "utf8")
  } catch (cause) {
    throw new NotBuilt("the dashboard was not built", "run `npm run build` first", { cause })
  }
}
