import { randomInt } from "node:crypto"
import { type Context, openTwoFactor, sealTwoFactor } from "@restwell/core"
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto"
import { twoFactor } from "better-auth/plugins"

/** Crockford's digits: nobody reads one of them as another. @see https://www.crockford.com/base32.html */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
const GROUPS = 4
const GROUP_LENGTH = 4
const RECOVERY_CODES = 10

/** The time to enter the code after the password, seconds. */
const CODE_WITHIN_SECONDS = 600

/**
 * better-auth's second factor: a code of six digits every 30 seconds (RFC 6238), or a recovery code. It follows a password, not a
 * passkey or another service's sign-in. Limits of guessing are ours (attempt-limits.ts).
 *
 * better-auth encrypts the secret with the key of the cookies, which has no id. A restart with another secret would make it unreadable.
 * So the stored text is sealed like every other secret of ours, and better-auth gets it under the key it has now.
 */
export function twoFactorOf(cipher: Context["cipher"], key: string) {
  const plugin = twoFactor({
    issuer: "Restwell",
    twoFactorCookieMaxAge: CODE_WITHIN_SECONDS,
    accountLockout: { enabled: false },
    backupCodeOptions: {
      customBackupCodesGenerate: () => Array.from({ length: RECOVERY_CODES }, makeRecoveryCode),
      storeBackupCodes: {
        encrypt: async (codes) => sealTwoFactor(cipher, "backupCodes", codes),
        decrypt: async (stored) => openTwoFactor(cipher, "backupCodes", stored),
      },
    },
  })
  const { fields } = plugin.schema.twoFactor
  const transform = {
    input: async (encrypted: unknown) =>
      sealTwoFactor(cipher, "secret", await symmetricDecrypt({ key, data: String(encrypted) })),
    output: async (stored: unknown) => symmetricEncrypt({ key, data: openTwoFactor(cipher, "secret", String(stored)) }),
  }
  const sealed = { ...fields, secret: { ...fields.secret, transform } }
  return { ...plugin, schema: { ...plugin.schema, twoFactor: { ...plugin.schema.twoFactor, fields: sealed } } }
}

/** 80 random bits in four groups. NIST SP 800-63B-4, 3.1.2.2 asks for at least 20 bits with limited attempts. */
const makeRecoveryCode = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join(""),
  ).join("-")

/** Returns the typed text as the kind of code that it can be. People leave out hyphens, and type capital letters. */
export function readCode(typed: string): { readonly kind: "totp" | "recovery"; readonly code: string } {
  const compact = typed.replace(/[\s-]/g, "").toLowerCase()
  if (/^\d{6}$/.test(compact)) return { kind: "totp", code: compact }
  const digits = compact.replace(/o/g, "0").replace(/[il]/g, "1")
  return { kind: "recovery", code: (digits.match(/.{1,4}/g) ?? []).join("-") }
}
