import type { Sealed, TokenCipher } from "../base/encryption.ts"

/** What sign-in codes are made from, and the codes for a lost device. */
type TwoFactorSecret = "secret" | "backupCodes"

/** better-auth does not say whose a secret is, so it is bound to the column alone. */
export const twoFactorBelongsTo = (kind: TwoFactorSecret): string => `two-factor/${kind}`

/** Returns the text to store. */
export const sealTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, plain: string): string =>
  textOf(cipher.seal(plain, twoFactorBelongsTo(kind)))

/** @throws {UnreadableSecret} */
export const openTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, stored: string): string =>
  cipher.open(sealedOf(stored), twoFactorBelongsTo(kind))

/** A sealed value as text. */
export const textOf = ({ keyId, bytes }: Sealed): string => `${keyId}.${bytes.toString("base64url")}`

/** A text of `textOf` as the sealed value. */
export function sealedOf(stored: string): Sealed {
  const [keyId = "", bytes = ""] = stored.split(".")
  return { keyId, bytes: Buffer.from(bytes, "base64url") }
}
