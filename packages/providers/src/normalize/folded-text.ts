// Text as it is compared: without case, accents, and the several ways in which Unicode writes the same letter.

/** Letters that have no accent of their own in Unicode. */
const LETTERS: Readonly<Record<string, string>> = { ı: "i", ł: "l", ø: "o", đ: "d", ß: "ss", æ: "ae", œ: "oe", ς: "σ" }

/** `Sí`, its decomposed form, `SÍ` and fullwidth `ｓí` are `si`. */
export const foldedText = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[ıłøđßæœς]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize("NFC")
    .trim()
