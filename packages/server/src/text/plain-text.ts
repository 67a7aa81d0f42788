/**
 * A stranger's text as plain text of one line: without what is not seen, or turns the text around it (control, format, surrogate and private
 * characters, bidirectional marks), and not longer than `longest` characters.
 */
export const plainText = (text: string, longest: number): string =>
  PLAIN.test(text) && text.length <= longest ? text : madePlain(text, longest)

/** Words of plain letters with one space between: nearly all there is, and nothing to be done about it. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

const madePlain = (text: string, longest: number): string =>
  [
    ...text
      .toWellFormed()
      .normalize("NFC")
      .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
      .trim(),
  ]
    .slice(0, longest)
    .join("")
