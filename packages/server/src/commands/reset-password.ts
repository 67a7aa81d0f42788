import { createPasswordReset } from "@restwell/core"
import { resetLink } from "../links/links.ts"
import { accountOf } from "./account-of.ts"
import { CommandFailed } from "./command.ts"
import { baseUrlOf, withStore } from "./with-store.ts"

export interface ResetPasswordArguments {
  readonly email: string
  readonly removesTwoFactor: boolean
  readonly isJson: boolean
}

/** `restwell reset-password`: prints a link that sets a new password once. */
export const main = ({ email, removesTwoFactor, isJson }: ResetPasswordArguments): Promise<void> =>
  withStore(async (store) => {
    const userId = await accountOf(store, email)
    const link = await createPasswordReset(store, userId, { by: "operator", removesTwoFactor })
    if (!link) throw new CommandFailed("the account was deleted meanwhile")
    const url = resetLink(await baseUrlOf(store), link.token)
    const expiresAt = link.expiresAt.toISOString()
    process.stdout.write(
      isJson
        ? `${JSON.stringify({ link: url, expires_at: expiresAt, removes_two_factor: removesTwoFactor })}\n`
        : `${url}\nIt works once, until ${expiresAt}. Give it only to the person whose account it is.\n${
            removesTwoFactor ? "Using it also turns sign-in codes off.\n" : ""
          }`,
    )
  })
