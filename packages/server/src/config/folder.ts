/** Folders as settings, options and the page name them. */
import { homedir } from "node:os"
import { join } from "node:path"
import { z } from "zod"

/** A folder's path. A shell replaces a `~` at its beginning, and nothing else does: files of settings and forms have none. */
export const folder = z
  .string()
  .regex(/^(?!~[^/])/, {
    error: "must be a path: only ~/ at its beginning names a home, that of the user who starts Restwell",
    abort: true,
  })
  .transform((path) => (path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path))
