import type { ExportedType } from "@restwell/core"
import { DEMO_DEVICES, USUAL_DEVICES } from "@restwell/simulator/demo"
import { type Argument, type Command, DATA_DIR_OPTION, JSON_OPTION, type Option } from "./command.ts"

const EMAIL: Argument = { name: "EMAIL", description: "address of the account" }
const WHILE_RUNNING = "Works while the service runs or not."

/** The commands about the people of this installation. */
const PEOPLE_COMMANDS: readonly Command[] = [
  {
    name: "people",
    summary: "List the accounts, with their plans, vendors and last reads.",
    details: WHILE_RUNNING,
    options: [DATA_DIR_OPTION, JSON_OPTION],
    run: async (given) => (await import("./people.ts")).listCommand(given),
  },
  {
    name: "people invite",
    summary: "Print a link that creates one account, even where sign-ups are closed.",
    details: `The link works once, within 7 days. ${WHILE_RUNNING}`,
    arguments: [{ name: "EMAIL", description: "the only address that may accept it", isOptional: true }],
    options: [
      { name: "plan", value: ["free", "pro"], description: "the new account's plan, free by default" },
      DATA_DIR_OPTION,
      JSON_OPTION,
    ],
    run: async (given) => (await import("./people.ts")).inviteCommand(given),
  },
  {
    name: "people set-plan",
    summary: "Change an account's plan, from the next request on.",
    details: WHILE_RUNNING,
    arguments: [EMAIL, { name: "PLAN", description: "free or pro" }],
    options: [DATA_DIR_OPTION],
    run: async (given) => (await import("./people.ts")).setPlanCommand(given),
  },
  {
    name: "people set-owner",
    summary: "Make an account the owner of this installation, in place of another one.",
    details: WHILE_RUNNING,
    arguments: [EMAIL],
    options: [DATA_DIR_OPTION],
    run: async (given) => (await import("./people.ts")).setOwnerCommand(given),
  },
  {
    name: "people remove",
    summary: "Delete an account and all its data, and end its access at the vendors.",
    details: `This cannot be undone. Export the account first to keep its data. ${WHILE_RUNNING}`,
    arguments: [EMAIL],
    options: [{ name: "yes", description: "do it, instead of saying what would be deleted" }, DATA_DIR_OPTION],
    run: async (given) => (await import("./people.ts")).removeCommand(given),
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
      DATA_DIR_OPTION,
      JSON_OPTION,
    ],
    run: async (given) => (await import("./people.ts")).resetPasswordCommand(given),
  },
]

const EXPORTED_TYPES: readonly ExportedType[] = ["sleep", "recovery", "workout", "cycle", "series"]

const ACCOUNT_OPTION: Option = {
  name: "account",
  value: "EMAIL",
  description: "address of the account",
  isRequired: true,
}

const PORT_OPTION: Option = {
  name: "port",
  value: "PORT",
  description: "the port to listen on, instead of PORT (3000 by default)",
  setting: "PORT",
}

const OPEN_OPTION: Option = { name: "open", description: "open the service in your browser" }

/** All commands, in the order of `restwell --help`. The first one runs if none is named. */
export const COMMANDS: readonly Command[] = [
  {
    name: "start",
    summary: "Run the service until a signal stops it.",
    options: [
      {
        name: "role",
        value: ["all", "api", "worker"],
        description: "answer requests (api), run jobs (worker), or both (all, the default)",
      },
      PORT_OPTION,
      DATA_DIR_OPTION,
      OPEN_OPTION,
    ],
    run: async (given) => (await import("./start.ts")).main(given),
  },
  {
    name: "demo",
    summary: "Run the service with simulated vendors and a demo account, in the folder .demo.",
    options: [
      { name: "fresh", description: "delete what an earlier demo left" },
      {
        name: "devices",
        value: "NAMES",
        description: `what the person wears: ${Object.keys(DEMO_DEVICES).join(", ")}, separated by commas; ${USUAL_DEVICES.join(",")} by default`,
      },
      PORT_OPTION,
      { name: "data-dir", value: "FOLDER", description: "the folder of the demo's data, .demo by default" },
      OPEN_OPTION,
    ],
    run: async (given) => (await import("./demo.ts")).main(given),
  },
  {
    name: "import",
    summary: "Import an archive, or the archives of a folder, into an account.",
    details:
      "Works while the service runs or not. People can also upload archives in the dashboard. Of a folder, each version of an archive is " +
      "imported once. A folder without archives is taken for one that was unpacked.",
    arguments: [{ name: "FILE", description: "the vendor's archive, as it was downloaded, or a folder" }],
    options: [
      ACCOUNT_OPTION,
      { name: "include-private", description: "also store answers about private topics" },
      DATA_DIR_OPTION,
      JSON_OPTION,
    ],
    run: async (given) => (await import("./import.ts")).main(given),
  },
  {
    name: "export",
    summary: "Write everything that is stored about an account, as the account page exports it.",
    details: "Works while the service runs or not. Without FILE it writes to standard output.",
    arguments: [{ name: "FILE", description: "a file that does not exist yet", isOptional: true }],
    options: [
      ACCOUNT_OPTION,
      { name: "format", value: ["json", "csv"], description: "json (the default) has everything, csv one type" },
      { name: "type", value: EXPORTED_TYPES, description: "the type of a table, with --format csv" },
      DATA_DIR_OPTION,
    ],
    run: async (given) => (await import("./export.ts")).main(given),
  },
  ...PEOPLE_COMMANDS,
  {
    name: "backup",
    summary: "Write all data to one file, as they are at one moment.",
    details:
      "Works while the service runs or not. The file contains the secret, so keep it as safe as the service itself. Without the secret, a restore " +
      "into another place keeps records, accounts and API keys, but people connect their devices and sign in again.",
    arguments: [{ name: "FILE", description: "the file to make, or a folder for it" }],
    options: [
      { name: "without-secret", description: "leave out the secret, which you then keep elsewhere" },
      DATA_DIR_OPTION,
      JSON_OPTION,
    ],
    run: async (given) => (await import("./backup.ts")).main(given),
  },
  {
    name: "restore",
    summary: "Bring back the data of a backup, into an empty place.",
    details:
      "Stop the service first. The file is checked as a whole before anything is changed, and the data are replaced at once or not at all. " +
      "The place is the DATA_DIR or DATABASE_URL of the settings, with PostgreSQL 15 or newer.",
    arguments: [{ name: "FILE", description: "a file of `restwell backup`" }],
    options: [
      { name: "replace", description: "replace the data that are there; without it a place with accounts is refused" },
      { name: "check", description: "check the file, print what is in it, and change nothing" },
      DATA_DIR_OPTION,
      JSON_OPTION,
    ],
    run: async (given) => (await import("./restore.ts")).main(given),
  },
  {
    name: "mcp",
    summary: "Serve the connector's tools on standard input and output, for a program on your own machine.",
    details: "Needs RESTWELL_URL, the address of a running Restwell, and RESTWELL_API_KEY, your API key.",
    run: async () => (await import("./mcp.ts")).main(),
  },
  {
    name: "doctor",
    summary: "Check the installation, and say what is wrong and what to do about it.",
    details: "Changes nothing. Works while the service runs or not. Exits with 1 if anything is wrong.",
    options: [PORT_OPTION, DATA_DIR_OPTION, JSON_OPTION],
    run: async (given) => (await import("./doctor.ts")).main(given),
  },
  {
    name: "rotate-secret",
    summary: "Make a new secret in DATA_DIR and encrypt everything with it.",
    details: "Works while the service runs or not.",
    options: [DATA_DIR_OPTION],
    run: async () => (await import("./secret-rotation.ts")).rotateSecretCommand(),
  },
  {
    name: "re-encrypt",
    summary: "Encrypt everything that is stored with the current secret.",
    details: "Works while the service runs or not.",
    options: [
      DATA_DIR_OPTION,
      {
        name: "forget-lost-secret",
        description:
          "let the service start although the secret of its database is lost; people connect and sign in again",
      },
    ],
    run: async (given) => (await import("./secret-rotation.ts")).reencryptCommand(given),
  },
]
