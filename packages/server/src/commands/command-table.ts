import type { ExportedType } from "@restwell/core"
import { type Command, JSON_OPTION, type Option } from "./command.ts"
import { PEOPLE_COMMANDS } from "./people-commands.ts"

const EXPORTED_TYPES: readonly ExportedType[] = ["sleep", "recovery", "workout", "cycle"]

const ACCOUNT_OPTION: Option = {
  name: "account",
  value: "EMAIL",
  description: "address of the account",
  isRequired: true,
}

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
    ],
    run: async (given) => (await import("./start.ts")).main(given.optionalValue("role")),
  },
  {
    name: "demo",
    summary: "Run the service with simulated vendors and a demo account, in the folder .demo.",
    options: [{ name: "fresh", description: "delete what an earlier demo left" }],
    run: async (given) => (await import("./demo.ts")).main({ isFresh: given.has("fresh") }),
  },
  {
    name: "import",
    summary: "Import an archive into an account.",
    details: "Works while the service runs or not. People can also upload archives in the dashboard.",
    arguments: [{ name: "FILE", description: "the vendor's archive, as it was downloaded" }],
    options: [
      ACCOUNT_OPTION,
      { name: "include-private", description: "also store answers about private topics" },
      JSON_OPTION,
    ],
    run: async (given) =>
      (await import("./import.ts")).main({
        file: given.argument("FILE"),
        email: given.value("account"),
        includesPrivate: given.has("include-private"),
        isJson: given.has("json"),
      }),
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
    ],
    run: async (given) =>
      (await import("./export.ts")).main({
        file: given.optionalArgument("FILE"),
        email: given.value("account"),
        format: given.optionalValue("format"),
        type: given.optionalValue("type"),
      }),
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
      JSON_OPTION,
    ],
    run: async (given) =>
      (await import("./backup.ts")).main({
        file: given.argument("FILE"),
        hasSecret: !given.has("without-secret"),
        isJson: given.has("json"),
      }),
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
      JSON_OPTION,
    ],
    run: async (given) =>
      (await import("./restore.ts")).main({
        file: given.argument("FILE"),
        replaces: given.has("replace"),
        onlyChecks: given.has("check"),
        isJson: given.has("json"),
      }),
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
    options: [JSON_OPTION],
    run: async (given) => (await import("./doctor.ts")).main({ isJson: given.has("json") }),
  },
  {
    name: "rotate-secret",
    summary: "Make a new secret in DATA_DIR and encrypt everything with it.",
    details: "Works while the service runs or not.",
    run: async () => (await import("./rotate-secret.ts")).main(),
  },
  {
    name: "re-encrypt",
    summary: "Encrypt everything that is stored with the current secret.",
    details: "Works while the service runs or not.",
    run: async () => (await import("./re-encrypt.ts")).main(),
  },
]
