// PostgreSQL stores neither U+0000 nor a lone surrogate in text or jsonb: https://www.postgresql.org/docs/current/datatype-json.html
// This file is the only rule for such text.

/** Returns whether PostgreSQL can store the text. */
export const isStorableText = (text: string): boolean => text.isWellFormed() && !text.includes("\0")
