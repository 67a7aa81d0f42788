import { readFile } from "node:fs/promises"
import { runCommand } from "@restwell/testing/service"
import { expect, test } from "vitest"

const COMMANDS = ["start", "demo", "import", "backup", "restore", "mcp", "rotate-secret", "re-encrypt"]
const operations = await readFile(new URL("../../docs/operations.md", import.meta.url), "utf8")

test("the help lists every command, and so does the page about operation", async () => {
  const { code, output, errors } = await runCommand(["--help"], {})
  expect([code, errors]).toEqual([0, ""])
  const listed = output.split("\n").flatMap((line) => /^ {2}([a-z-]+) /.exec(line)?.[1] ?? [])
  expect(listed).toEqual(expect.arrayContaining(COMMANDS))
  for (const name of listed) expect(operations).toContain(`\`restwell ${name}`)
})

test("each command explains its arguments, options, settings and exit codes, without doing anything", async () => {
  for (const name of COMMANDS) {
    const { code, output, errors } = await runCommand([name, "--help"], { PORT: "no port" })
    expect([code, errors]).toEqual([0, ""])
    expect(output).toMatch(new RegExp(`\nUsage: restwell ${name}.*\n[^]*--help .*\n[^]*Exit codes: 0`))
  }
  const { output } = await runCommand(["help", "import"], {})
  expect(output).toContain(
    "Usage: restwell import FILE --account EMAIL [--include-private] [--data-dir FOLDER] [--json]\n",
  )
  expect(output).toMatch(/^ {2}--account EMAIL +address of the account$/m)
})

test("the version is that of the package", async () => {
  const { version } = JSON.parse(await readFile(new URL("../../packages/server/package.json", import.meta.url), "utf8"))
  expect(await runCommand(["--version"], {})).toEqual({ code: 0, output: `${version}\n`, errors: "" })
})

test.each([
  [["impot"], "there is no command impot, did you mean import?"],
  [["import", "a.zip", "--acount", "x"], "there is no option --acount, did you mean --account"],
  [["import", "--account", "a@b.example"], "FILE is missing: the vendor's archive"],
  [["import", "a.zip"], "--account is missing: address of the account"],
  [["import", "a.zip", "--account"], "--account needs a value, like --account EMAIL"],
  [["import", "a.zip", "--account", "--json"], "--account needs a value"],
  [["import", "a.zip", "b.zip", "--account", "x"], "b.zip is one argument too many"],
  [["import", "a.zip", "--account", "x", "--json=yes"], "--json takes no value"],
  [["--role", "boss"], "--role must be one of all, api, worker, not boss"],
  [["re-encrypt", "now"], "now is one argument too many"],
  [["mcp", "--url=x"], "there is no option --url"],
])("%j is answered with one line and exit code 2", async (commandLine, message) => {
  const { code, output, errors } = await runCommand(commandLine, {})
  expect(code).toBe(2)
  expect(errors).toBe(output)
  expect(errors).toMatch(/^restwell: [^\n]+\n$/)
  expect(errors).toContain(message)
})

test("a command that fails says why on one line and exits with 1", async () => {
  const { code, output } = await runCommand(["import", "/no/such.zip", "--account", "a@b.example"], {})
  expect([code, output]).toEqual([1, expect.stringMatching(/^restwell: \/no\/such.zip cannot be read: [^\n]+\n$/)])
})
