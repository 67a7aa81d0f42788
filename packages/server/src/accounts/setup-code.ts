import { timingSafeEqual } from "node:crypto"
import { type Context, deriveKey, hasOwner, type Secrets } from "@restwell/core"
import { setupLink } from "../mail/links.ts"

const CODE_BYTES = 6

/** The code that the set-up asks for, like `4F7A-91C2-0B4D`. The same in every process: it is made from the secret. */
export const setupCodeOf = (secret: string): string =>
  deriveKey(secret, "set-up")
    .subarray(0, CODE_BYTES)
    .toString("hex")
    .toUpperCase()
    .replaceAll(/(.{4})(?=.)/g, "$1-")

const plain = (code: string): string => code.replaceAll(/[^\da-z]/gi, "").toUpperCase()

/** True for the code of any of the secrets, with or without dashes, in any case. */
export const isSetupCode = (secrets: Secrets, code: string): boolean =>
  secrets.some((secret) => {
    const [wanted, given] = [setupCodeOf(secret), code].map((text) => Buffer.from(plain(text)))
    return wanted?.length === given?.length && timingSafeEqual(wanted ?? Buffer.of(), given ?? Buffer.of(1))
  })

/** The link to the set-up. Undefined once there is an owner. */
export const findSetupLink = async (
  context: Pick<Context, "database">,
  { baseUrl, secret }: { readonly baseUrl: string; readonly secret: string },
): Promise<string | undefined> => ((await hasOwner(context)) ? undefined : setupLink(baseUrl, setupCodeOf(secret)))
