import { readFileSync } from "node:fs"

/** A statement from the `.sql` file of its name. Each connection prepares it once. */
export const readStatement = (name: string): { readonly name: string; readonly text: string } => ({
  name,
  text: readFileSync(new URL(`${name}.sql`, import.meta.url), "utf8"),
})
