/**
 * Writes which fields Google's own description gives to the shapes that Restwell reads: `node scripts/google-health-fields.ts FILE`, with
 * build/src/apis/health/v4.d.ts of the npm package googleapis, which is too large to depend on. `npm run check` compares.
 */
import { readFile, writeFile } from "node:fs/promises"
import { FIELDS_FILE, GOOGLE_SHAPES } from "./check/google-health-fields.ts"

const [file = ""] = process.argv.slice(2)
const description = await readFile(file, "utf8")
const { version } = JSON.parse(await readFile(new URL("../../../../package.json", `file://${file}`), "utf8"))

const fieldsOf = (shape: string): string[] => {
  const [, body = ""] =
    new RegExp(`interface Schema\\$${shape} \\{([^}]*(?:\\{[^}]*\\}[^}]*)*?)\\n {4}\\}`).exec(description) ?? []
  return [...body.matchAll(/^ {8}(\w+)\?:/gm)].flatMap(([, field]) => field ?? [])
}

const shapes = Object.fromEntries(Object.keys(GOOGLE_SHAPES).map((shape) => [shape, fieldsOf(shape)]))
const source = `googleapis ${version}, build/src/apis/health/v4.d.ts`
await writeFile(FIELDS_FILE, `${JSON.stringify({ source, shapes }, null, 2)}\n`)
