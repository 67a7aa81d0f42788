import { type Context, findUserByEmail } from "@restwell/core"
import { CommandFailed } from "./command.ts"

/** The id of the account with this address. @throws {CommandFailed} */
export async function accountOf(context: Pick<Context, "database">, email: string): Promise<string> {
  const userId = await findUserByEmail(context, email)
  if (userId === undefined)
    throw new CommandFailed(`there is no account with the address ${email}. \`restwell people\` lists them`)
  return userId
}
