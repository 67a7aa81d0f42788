import type { SourceFile } from "./source-files.ts"

const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm
/** Not the end of a name like `parse.test.ts`: sources without tests are all that the rule knows. */
const FILE_NAME = /(?<![\w.-])[\w-]+\.tsx?\b/g

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** A comment that sends the reader to another file is renamed with the file. */
export function namedFileFaults(files: readonly SourceFile[]): string[] {
  const known = new Set(files.map(({ path }) => nameOf(path)))
  return files.flatMap(({ path, text }) => {
    const named = (text.match(COMMENT) ?? []).flatMap((line) => line.match(FILE_NAME) ?? [])
    const missing = [...new Set(named)].filter((name) => !known.has(name))
    return missing.map((name) => `${path}: a comment names ${name}, which no package has`)
  })
}
