// What becomes of text that PostgreSQL cannot store (contract/storable.ts), in vendors' records and in requests.
import type { Json } from "../contract/records.ts"
import { isStorableText } from "../contract/storable.ts"

/** Deeper values exceed PostgreSQL's default `max_stack_depth` or our own recursion. No vendor nests more than 5 levels. */
const DEEPEST = 64

/** Returns the text with U+FFFD in place of each character that PostgreSQL cannot store. */
export const toStorableText = (text: string): string =>
  isStorableText(text) ? text : text.toWellFormed().replaceAll("\0", "\uFFFD")

/** The beginning of a text, of at most `longest` UTF-16 units, without half of a character at its end. */
export const cutText = (text: string, longest: number): string => text.slice(0, longest).replace(/\p{Cs}$/u, "")

/**
 * Returns the text without control and direction characters, which can make a name look like another one: `photo\u202Egnp.exe`. Joiners stay,
 * which scripts and emoji need. @see https://unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
export const withoutControls = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, "")

/** Returns the path of the first text or level of nesting that PostgreSQL cannot store, such as `score.note`. Undefined without one. */
export function unstorablePath(value: unknown): string | undefined {
  const path = findUnstorable(value, 0)
  return path && nameOf(path)
}

/** The keys that lead to it are collected on the way back, so that a large value without a fault costs no list for each key. */
function findUnstorable(value: unknown, depth: number): string[] | undefined {
  if (typeof value === "string") return isStorableText(value) ? undefined : []
  if (typeof value !== "object" || value === null) return undefined
  if (depth >= DEEPEST) return []
  for (const [key, inner] of Object.entries(value)) {
    const found = isStorableText(key) ? findUnstorable(inner, depth + 1) : []
    if (found) return [key, ...found]
  }
  return undefined
}

/** Returns the value with storable texts and keys. Levels that are nested too deeply become null. */
export function toStorableJson(value: Json, depth = 0): Json {
  if (typeof value === "string") return toStorableText(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= DEEPEST) return null
  if (Array.isArray(value)) return value.map((inner) => toStorableJson(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), toStorableJson(inner, depth + 1)]),
  )
}

/** The JSON text of an object that a vendor sent, equal for equal ones. What is nested too deeply to be written becomes null. */
export const jsonTextOf = (value: unknown): string => JSON.stringify(withoutDepths(value, 0))

function withoutDepths(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value
  if (depth >= DEEPEST) return null
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutDepths(inner, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDepths(inner, depth + 1)]))
}

const nameOf = (path: readonly string[]): string => toStorableText(path.join(".")) || "text"
