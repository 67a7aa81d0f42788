import { readFile } from "node:fs/promises"
import { join } from "node:path"

const REPOSITORY = join(import.meta.dirname, "..", "..")

/** A block of a document between two lines of backticks. */
export interface Fence {
  /** Path in the repository. */
  readonly document: string
  /** Line of the document where the block begins. */
  readonly line: number
  /** Word after the backticks, or an empty string. */
  readonly language: string
  readonly text: string
}

/** Returns the blocks of a document in their order. */
export const readFences = async (document: string): Promise<Fence[]> =>
  fencesOf(document, await readFile(join(REPOSITORY, document), "utf8"))

/** A block ends with as many backticks as it began with. */
export const fencesOf = (document: string, markdown: string): Fence[] =>
  [...markdown.matchAll(/^ *(`{3,})([^\n`]*)\n(.*?)^ *\1 *$/gms)].map(({ index, 2: language = "", 3: text = "" }) => ({
    document,
    line: markdown.slice(0, index).split("\n").length,
    language: language.trim(),
    text,
  }))
