import { type Argument, type Command, JSON_OPTION } from "./command.ts"

const EMAIL: Argument = { name: "EMAIL", description: "address of the account" }
const WHILE_RUNNING = "Works while the service runs or not."

/** The commands about the people of this installation. */
export const PEOPLE_COMMANDS: readonly Command[] = [
  {
    name: "people",
    summary: "List the accounts, with their plans, vendors and last reads.",
    details: WHILE_RUNNING,
    options: [JSON_OPTION],
    run: async (given) => (await import("./people.ts")).main({ isJson: given.has("json") }),
  },
  {
    name: "people invite",
    summary: "Print a link that creates one account, even where sign-ups are closed.",
    details: `The link works once, within 7 days. ${WHILE_RUNNING}`,
    arguments: [{ name: "EMAIL", description: "the only address that may accept it", isOptional: true }],
    options: [
      { name: "plan", value: ["free", "pro"], description: "the new account's plan, free by default" },
      JSON_OPTION,
    ],
    run: async (given) =>
      (await import("./people-invite.ts")).main({
        email: given.optionalArgument("EMAIL"),
        plan: given.optionalValue("plan"),
        isJson: given.has("json"),
      }),
  },
  {
    name: "people set-plan",
    summary: "Change an account's plan, from the next request on.",
    details: WHILE_RUNNING,
    arguments: [EMAIL, { name: "PLAN", description: "free or pro" }],
    run: async (given) =>
      (await import("./people-set-plan.ts")).main({ email: given.argument("EMAIL"), plan: given.argument("PLAN") }),
  },
  {
    name: "people remove",
    summary: "Delete an account and all its data, and end its access at the vendors.",
    details: `This cannot be undone. Export the account first to keep its data. ${WHILE_RUNNING}`,
    arguments: [EMAIL],
    options: [{ name: "yes", description: "do it, instead of saying what would be deleted" }],
    run: async (given) =>
      (await import("./people-remove.ts")).main({ email: given.argument("EMAIL"), isConfirmed: given.has("yes") }),
  },
  {
    name: "reset-password",
    summary: "Print a link that sets a new password once, within 24 hours.",
    details: `Using it ends all sessions of the account. ${WHILE_RUNNING}`,
    arguments: [EMAIL],
    options: [
      {
        name: "remove-two-factor",
        description: "the link also turns sign-in codes off, for a person who has lost the app and the recovery codes",
      },
      JSON_OPTION,
    ],
    run: async (given) =>
      (await import("./reset-password.ts")).main({
        email: given.argument("EMAIL"),
        removesTwoFactor: given.has("remove-two-factor"),
        isJson: given.has("json"),
      }),
  },
]
