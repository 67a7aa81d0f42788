/**
 * A stranger's text as one line of at most `longest` characters, without invisible or reordering ones: control, format, surrogate and
 * private characters, bidirectional marks.
 */
export const plainText = (text: string, longest: number): string =>
  PLAIN.test(text) && text.length <= longest ? text : toPlainText(text, longest)

/** The common case, which needs no change: ASCII words with one space between. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

const toPlainText = (text: string, longest: number): string =>
  [
    ...text
      .toWellFormed()
      .normalize("NFC")
      .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim(),
  ]
    .slice(0, longest)
    .join("")

/** Plain text whose lines stay. */
export const plainLines = (text: string, longest: number): string =>
  [
    ...text
      .split(/\r\n?|\n/)
      .map((line) => toPlainText(line, longest))
      .join("\n")
      .trim(),
  ]
    .slice(0, longest)
    .join("")
