/** Every field that Restwell reads of Google Health is one of Google's own description: a misspelt one would be missing in silence. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { GOOGLE_SHAPES } from "../../packages/providers/src/google-health/wire.ts"

export { GOOGLE_SHAPES }

/** Made by scripts/google-health-fields.ts. */
export const FIELDS_FILE = join(import.meta.dirname, "google-health-fields.json")

/** Returns every field that Google's description does not have, as a line each. */
export async function googleHealthFieldFaults(shapes = GOOGLE_SHAPES): Promise<string[]> {
  const described: { readonly source: string; readonly shapes: Readonly<Record<string, readonly string[]>> } =
    JSON.parse(await readFile(FIELDS_FILE, "utf8"))
  return Object.entries(shapes).flatMap(([name, { shape }]) =>
    Object.keys(shape)
      .filter((field) => !described.shapes[name]?.includes(field))
      .map(
        (field) => `packages/providers/src/google-health/wire.ts: ${name} has no field ${field} in ${described.source}`,
      ),
  )
}
