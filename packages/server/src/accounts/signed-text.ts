import { createHmac, timingSafeEqual } from "node:crypto"

/** Returns the signature of a text as better-auth makes it for a cookie. */
export const signatureOf = (text: string, secret: string): string =>
  createHmac("sha256", secret).update(text).digest("base64")

/** True if one of the secrets made the signature of the text. */
export const isSignedBy = (text: string, signature: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => equals(signature, signatureOf(text, secret)))

function equals(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Returns the decoded text and signature of a cookie that better-auth signed. Browsers may send anything. */
export function parseSigned(value: string): { readonly text: string; readonly signature: string } | undefined {
  const { text, signature } = /^(?<text>.+)\.(?<signature>[^.]+)$/.exec(value)?.groups ?? {}
  return text === undefined || signature === undefined
    ? undefined
    : { text: decode(text), signature: decode(signature) }
}

/** Returns the values of the cookies with this name, as they were sent. */
export const cookiesNamed = (header: string, name: string): string[] =>
  header
    .split(/; */)
    .filter((cookie) => cookie.startsWith(`${name}=`))
    .map((cookie) => cookie.slice(name.length + 1))

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
