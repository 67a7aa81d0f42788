import { InvalidRequest } from "@restwell/core"

/**
 * Lengths in characters, that is code points. At least 8 comes from the product. At most 128 bounds the time that a hash takes.
 * @see NIST SP 800-63B-4, 3.1.1.2
 */
export const PASSWORD = { min: 8, max: 128 }

/** What anybody tries first: the service's name, and the words that people put beside it. */
const SERVICE = "restwell"
const FILLERS = ["password", "login", "account", "my"]

/** Letters that people write as digits or signs. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "l",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
}

/** Passwords are hashed in this form, so that every keyboard's spelling of a character is the same password. NIST SP 800-63B-4, 3.1.1.2 */
const normalizePassword = (password: string): string => password.normalize("NFKC")

export const passwordLength = (password: string): number => [...normalizePassword(password)].length

/**
 * Checks a password that somebody chooses. A password that exists is never checked.
 * @param field the name of the password in the request
 * @throws {InvalidRequest} that says what to do
 * @see NIST SP 800-63B-4, 3.1.1.2
 */
export async function requireGoodPassword(password: string, email: string, field: string): Promise<void> {
  const problem =
    shapeProblemOf(password) ??
    (isGuessable(password, [email, SERVICE]) ? GUESSABLE : undefined) ??
    ((await isCommon(password)) ? COMMON : undefined) ??
    (isGuessable(password, [email, SERVICE, ...FILLERS]) ? GUESSABLE : undefined)
  if (problem !== undefined) throw new InvalidRequest(`${field} ${problem}`, field)
}

const BLANK = "must not consist of blanks only"
const REPEATED = "must not repeat one character, choose several words"
const GUESSABLE =
  "must not be your email address, a part of it, the name of this service or words like password and login, choose other words"
const COMMON = "is one of the most common passwords, choose another one, such as four words that do not belong together"

function shapeProblemOf(password: string): string | undefined {
  const characters = [...normalizePassword(password)]
  if (characters.length < PASSWORD.min) return `must be at least ${PASSWORD.min} characters`
  if (characters.length > PASSWORD.max) return `must be at most ${PASSWORD.max} characters`
  if (characters.every((character) => /[\p{Z}\p{C}]/u.test(character))) return BLANK
  if (new Set(characters.map((character) => character.toLowerCase())).size === 1) return REPEATED
  return undefined
}

/** True if nothing but these texts and their parts is left without digits and signs. */
function isGuessable(password: string, texts: readonly string[]): boolean {
  const text = canonical(password)
  const parts = texts.flatMap((each) => [each, ...each.split("@"), ...each.split(/[^\p{L}\p{N}]+/u)]).map(canonical)
  if (parts.includes(text)) return true
  const words = parts.map(lettersOf).filter((word) => word !== "")
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
  return [core, core.replace(/[013457@$!]/g, (sign) => LOOKALIKES[sign] ?? sign)].some((spelling) =>
    consistsOf(lettersOf(spelling), words),
  )
}

const canonical = (text: string): string => normalizePassword(text).toLowerCase()
const lettersOf = (text: string): string => text.replace(/[^\p{L}]/gu, "")

/** True if the text is a sequence of the words. */
function consistsOf(text: string, words: readonly string[]): boolean {
  const ends = new Set([0])
  for (let start = 0; start < text.length; start += 1)
    if (ends.has(start)) for (const word of words) if (text.startsWith(word, start)) ends.add(start + word.length)
  return text !== "" && ends.has(text.length)
}

let common: Promise<ReadonlySet<string>> | undefined

/** Compared without regard to case. The list is loaded when somebody first chooses a password. */
async function isCommon(password: string): Promise<boolean> {
  common ??= loadCommon()
  return (await common).has(canonical(password))
}

async function loadCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common")
  return new Set(
    dictionary["passwords-common"].map(canonical).filter((password) => [...password].length >= PASSWORD.min),
  )
}
