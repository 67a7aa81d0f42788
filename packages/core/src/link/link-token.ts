import { hash, randomBytes } from "node:crypto"

/** 256 random bits, so that a fast hash protects the stored form. */
const TOKEN_BYTES = 32
const SHAPE = /^[\w-]{43}$/

/** The secret part of a link that works once. */
export interface LinkToken {
  readonly token: string
  /** SHA-256, which is all that is stored. */
  readonly tokenHash: Buffer
}

export function newLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString("base64url")
  return { token, tokenHash: hashOfToken(token) }
}

/** The hash that a token is stored under. A text that cannot be a token gives a hash that is stored nowhere. */
export const hashOfToken = (token: string): Buffer => hash("sha256", SHAPE.test(token) ? token : "", "buffer")
