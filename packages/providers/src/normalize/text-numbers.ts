// Numbers as texts: programs on phones write them with the signs of their region.

/** Signs that group digits and are no decimal signs: spaces, apostrophes, the Arabic sign of thousands. */
const GROUPING = /[\s'’\u066C]/g
/** The Arabic decimal sign. */
const ARABIC_DECIMAL = /\u066B/g
const MINUS = /^\u2212/

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** `1,234,567`, `1.234.567`, and `12,34,567` as India writes it. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(?:([,.])\d{2,3})?(?:\1\d{2,3})*\1\d{3}$/
const ONE_SIGN = /^([+-]?\d*)([,.])(\d*)$/
const TWO_SIGNS = /^([+-]?[1-9]\d{0,2}(?:([,.])\d{2,3})*)(?!\2)([,.])(\d+)$/

/** Digits of all scripts. */
export const westernDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    let value = 0
    // Scripts have their ten digits one after the other.
    while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
    return String(value)
  })

/**
 * Returns the number that a text is, in the signs of any region. NaN for a text that is none, or that two regions read differently:
 * `1,234` is more than a thousand in some, and a little more than one in others.
 * @param isCount true for what has no thousandths, so that three digits after a sign are thousands
 */
function numberOfText(text: string, isCount: boolean): number {
  const plain = westernDigits(text.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""))
    .trim()
    .replace(MINUS, "-")
    .replaceAll(ARABIC_DECIMAL, ".")
  const parts = plain.split(GROUPING)
  // Signs between digits alone, and three digits after each.
  if (parts.length > 1 && !parts.slice(1).every((part, index, rest) => isGroup(part, index === rest.length - 1)))
    return Number.NaN
  const digits = parts.join("")
  const [, whole = "", sign, decimals = ""] = ONE_SIGN.exec(digits) ?? []
  if (sign !== undefined) {
    const isGroupable = decimals.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(whole)
    if (isGroupable && parts.length === 1 && isCount) return Number(`${whole}${decimals}`)
    if (isGroupable && parts.length === 1 && sign === ",") return Number.NaN
    return whole + decimals === "" ? Number.NaN : Number(`${whole}.${decimals}`)
  }
  if (PLAIN.test(digits)) return Number(digits)
  if (GROUPED.test(digits)) return Number(digits.replaceAll(/[,.]/g, ""))
  const [, grouped = "", , , rest = ""] = TWO_SIGNS.exec(digits) ?? []
  return grouped === "" ? Number.NaN : Number(`${grouped.replaceAll(/[,.]/g, "")}.${rest}`)
}

/** The last group may have decimals behind it. */
const isGroup = (part: string, isLast: boolean): boolean => (isLast ? /^\d{3}(?:[,.]\d+)?$/ : /^\d{2,3}$/).test(part)

/** Longer texts are no number. */
const LONGEST = 60

/** A number as a program wrote it. @param type decides whether it counts something @returns why it cannot be read, if it cannot */
export function figureOf(value: number | string, type: string): number | string {
  if (typeof value === "number") return value
  const number = value.length > LONGEST ? Number.NaN : numberOfText(value, type === "steps" || type === "floors")
  return Number.isNaN(number) ? UNREADABLE_TEXT : number
}

const UNREADABLE_TEXT = "the figure is a text that is no number in every region: send it as a number"
