import { sql } from "kysely"
import { reencryptValue, type Sealed, type SealedRows, type TokenCipher } from "../base/encryption.ts"
import type { Context } from "../context/context.ts"

/** What sign-in codes are made from, and the codes for a lost device. */
type TwoFactorSecret = "secret" | "backupCodes"

const belongsTo = (kind: TwoFactorSecret): string => `two-factor/${kind}`

/** Returns the text to store. better-auth does not say whose it is, so it is bound to the column alone. */
export const sealTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, plain: string): string =>
  textOf(cipher.seal(plain, belongsTo(kind)))

/** @throws {UnreadableSecret} */
export const openTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, stored: string): string =>
  cipher.open(sealedOf(stored), belongsTo(kind))

const textOf = ({ keyId, bytes }: Sealed): string => `${keyId}.${bytes.toString("base64url")}`

function sealedOf(stored: string): Sealed {
  const [keyId = "", bytes = ""] = stored.split(".")
  return { keyId, bytes: Buffer.from(bytes, "base64url") }
}

/** A stored text as a sealed value, with what it belongs to. */
export const sealedTwoFactor = (kind: TwoFactorSecret, stored: string): Sealed & { readonly belongsTo: string } => ({
  ...sealedOf(stored),
  belongsTo: belongsTo(kind),
})

/** The secrets of people who sign in with codes. */
export const sealedTwoFactors = ({ database, cipher }: Pick<Context, "database" | "cipher">): SealedRows<string> => ({
  async find() {
    const current = cipher.currentKeyId()
    const { rows } = await sql<{ id: string }>`
      select id from restwell."twoFactor"
      where split_part(secret, '.', 1) <> ${current} or split_part("backupCodes", '.', 1) <> ${current}`.execute(
      database,
    )
    return rows.map(({ id }) => id)
  },
  reencrypt: (id) =>
    database.transaction().execute(async (transaction) => {
      const { rows } = await sql<Record<TwoFactorSecret, string>>`
        select secret, "backupCodes" from restwell."twoFactor" where id = ${id} for update`.execute(transaction)
      const values = rows.flatMap((row) => [
        reencryptValue(cipher, sealedOf(row.secret), belongsTo("secret")),
        reencryptValue(cipher, sealedOf(row.backupCodes), belongsTo("backupCodes")),
      ])
      const [secret, codes] = values
      if (secret && codes)
        await sql`
          update restwell."twoFactor" set secret = ${textOf(secret.sealed)}, "backupCodes" = ${textOf(codes.sealed)}
          where id = ${id}`.execute(transaction)
      return values
    }),
})
