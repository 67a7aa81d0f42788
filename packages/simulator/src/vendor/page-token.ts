/** Tokens of pages, whose form and length no vendor states. They are far longer here than what they stand for. */
const CHARACTERS = 3_000

export const writePageToken = (text: string): string => Buffer.from(text.padEnd(CHARACTERS)).toString("base64url")

export const readPageToken = (token: string): string => Buffer.from(token, "base64url").toString().trimEnd()
