import { z } from "zod"
import type { Auth } from "./better-auth.ts"

/** How a person can sign in. */
export interface SignInMethods {
  readonly password: boolean
  /** Whether a code follows the password. */
  readonly twoFactor: boolean
  readonly passkeys: number
  /** Names of identity providers where the person has an account. */
  readonly providers: string[]
}

const UserSchema = z.object({ twoFactorEnabled: z.boolean().nullish() })

export async function readSignInMethods(auth: Auth, userId: string): Promise<SignInMethods> {
  const { internalAdapter, adapter } = await auth.$context
  const providers = (await internalAdapter.findAccounts(userId)).map(({ providerId }) => providerId)
  return {
    password: providers.includes("credential"),
    twoFactor: UserSchema.parse(await internalAdapter.findUserById(userId)).twoFactorEnabled === true,
    passkeys: await adapter.count({ model: "passkey", where: [{ field: "userId", value: userId }] }),
    providers: providers.filter((provider) => provider !== "credential"),
  }
}
