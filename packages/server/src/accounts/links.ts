import { timingSafeEqual } from "node:crypto"
import { type Context, deriveKey, hasOwner, type Secrets } from "@restwell/core"

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

/** Links carry their token behind the #, which browsers send to no server, so that it is in no log of a proxy. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset#${token}`

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}/invite#${token}`

/** Opens the set-up of an installation without an owner. */
export const setupLink = (baseUrl: string, code: string): string => `${baseUrl}/setup#${code}`
