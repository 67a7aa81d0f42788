import type { SourceFile } from "./source-files.ts"

/** A comment, and the next line begins another one. */
const TWO_IN_A_ROW = /\*\/\n[ \t]*\/\*\*/g

/** Of two doc comments in a row, the first one describes nothing. One about a whole file has an empty line behind it. */
export const lostCommentFaults = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(TWO_IN_A_ROW)].map(
    ({ index }) =>
      `${path}:${text.slice(0, index).split("\n").length}: another comment follows, so this one describes nothing`,
  )
