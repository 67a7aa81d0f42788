import { readFileSync } from "node:fs"
import type { CustomTypesConfig } from "pg"

/** A statement that each connection prepares once, under its name. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** How values are parsed where the pool's own way does not do. */
  readonly types?: CustomTypesConfig
}

/** A statement from the `.sql` file of its name. */
export const readStatement = (name: string): Statement => ({
  name,
  text: readFileSync(new URL(`${name}.sql`, import.meta.url), "utf8"),
})
