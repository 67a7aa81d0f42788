/** Blocks of shell commands. */
import { existsSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { runCommand } from "@restwell/testing/service"
import { expect } from "vitest"
import manifest from "../../../package.json" with { type: "json" }
import clientManifest from "../../../packages/client/package.json" with { type: "json" }
import { checkConnectorUrl, checkLocalTools } from "./check-connector.ts"
import { CONTENT_TYPE, REPOSITORY, type RunningService } from "./running-service.ts"

type CheckCommand = (parts: RegExpExecArray, service: RunningService) => void | Promise<void>

const scripts: Readonly<Record<string, string>> = manifest.scripts

const expectFile = (path: string): void => expect(existsSync(join(REPOSITORY, path)), path).toBe(true)

async function expectCommand(name: string): Promise<void> {
  const { code, output } = await runCommand([name, "--help"], {})
  expect([code, output]).toEqual([0, expect.stringContaining(`restwell ${name}`)])
}

/**
 * How each command is verified. Installs, the demo and the start are run by `npm run test:first-steps` and test/package.
 * Commands that need Docker, systemd or Kubernetes are checked for their shape and their files.
 */
const COMMANDS: readonly (readonly [RegExp, CheckCommand])[] = [
  [/^npm install \.\/restwell-client-(.+)\.tgz$/, ([, version]) => expect(version).toBe(clientManifest.version)],
  [
    /^npm install (?:--prefix \/opt\/restwell )?\.\/restwell-(.+)\.tgz$/,
    ([, version]) => expect(version).toBe(manifest.version),
  ],
  [/^npm init -y$/, () => {}],
  [/^npm ci && npm (?:run )?(\w+)$/, ([, script = ""]) => expect(scripts).toHaveProperty(script)],
  [/^npm run (\S+)$/, ([, script = ""]) => expect(scripts).toHaveProperty([script])],
  [/^npm run dev -w (packages\/dashboard)$/, ([, folder]) => expectFile(`${folder}/package.json`)],
  [
    /^npx vitest run --project tests (test\/\w+)$/,
    async ([, folder = ""]) => expect((await readdir(join(REPOSITORY, folder))).join()).toContain(".test.ts"),
  ],
  [
    /^(?:TRUST_PROXY=loopback )?(?:npx|node_modules\/\.bin\/)\s*restwell ([a-z-]+)$/,
    ([, name = ""]) => expectCommand(name),
  ],
  [/^node_modules\/\.bin\/restwell (backup|restore) restwell\.backup$/, ([, name = ""]) => expectCommand(name)],
  // test/backup runs them on a backup of its own.
  [
    /^(?:mkdir opened && cd opened|zstd -dc \.\.\/restwell\.backup \| tar x|sha256sum -c SHA256SUMS)$/,
    () => expectFile("test/backup/standard-tools.test.ts"),
  ],
  [/^node_modules\/\.bin\/restwell (export) --account \S+@\S+ \S+\.json$/, ([, name = ""]) => expectCommand(name)],
  [/^node_modules\/\.bin\/restwell$/, () => expectCommand("start")],
  [
    /^RESTWELL_URL=(\S+) RESTWELL_API_KEY=(\S+) node_modules\/\.bin\/restwell mcp$/,
    ([, RESTWELL_URL = "", RESTWELL_API_KEY = ""]) =>
      checkLocalTools({
        command: "node_modules/.bin/restwell",
        args: ["mcp"],
        env: { RESTWELL_URL, RESTWELL_API_KEY },
      }),
  ],
  [
    /^node (packages\/\S+\.ts) --port \d+$/,
    async ([, file = ""], { run }) =>
      expect(await run(process.execPath, [join(REPOSITORY, file), "--help"])).toContain("--port"),
  ],
  [/^claude mcp add --transport http restwell (\S+)$/, ([, url = ""]) => checkConnectorUrl(url)],
  [/^cd (deploy\S*)$/, ([, folder = ""]) => expectFile(join(folder))],
  [/^(?:\w+=\S+ )?docker compose up --build --detach$/, () => {}],
  [/^docker run --read-only [^|;&]* restwell$/, () => expectFile("deploy/Dockerfile")],
  [/^sudo install --directory --mode 700 --owner 10001 backups$/, () => {}],
  [/^docker compose run --rm --no-deps --volume \S+ worker (\w+) \/backups$/, ([, name = ""]) => expectCommand(name)],
  [/^mkdir --parents \/opt\/restwell$/, () => {}],
  [/^install -m 600 \/dev\/null \/etc\/restwell\.env$/, () => {}],
  [/^install -m 600 (\S+) \.env$/, ([, file = ""]) => expectFile(join("deploy", file))],
  [/^cp (deploy\/\S+) \/etc\/systemd\/system\/$/, ([, file = ""]) => expectFile(file)],
  [/^systemctl (?:enable|disable) --now restwell$/, () => expectFile("deploy/restwell.service")],
  // What deploy/README.md makes, is removed again.
  [/^rm \/etc\/systemd\/system\/restwell\.service \/etc\/restwell\.env$/, () => {}],
  [/^rm --recursive \/opt\/restwell \/var\/lib\/restwell$/, () => {}],
  [/^docker (?:volume|image) rm restwell$/, () => expectFile("deploy/Dockerfile")],
  // Programs of others, by their manuals.
  [/^tailscale funnel --bg 3000$/, () => {}],
  [/^sudo apt install caddy$/, () => {}],
  [/^sudo systemctl reload caddy$/, () => {}],
  [/^kubectl apply -f my-secret\.yaml$/, () => expectFile("deploy/kubernetes/secret.example.yaml")],
  [/^kubectl apply -[fk] (deploy\/\S+)$/, ([, path = ""]) => expectFile(path)],
]

/** A block with `curl` is run as a whole. Of other blocks each line is verified alone. */
export async function checkShell(text: string, service: RunningService): Promise<void> {
  const filled = service.fill(text)
  await service.run("bash", ["-nc", filled])
  if (filled.includes("curl ")) return checkCurl(filled, service)
  for (const line of filled.trim().split("\n")) {
    const command = line.replace(/\s+#.*$/, "").trim()
    const found = COMMANDS.find(([shape]) => shape.test(command))
    const parts = found?.[0].exec(command)
    if (!found || !parts) throw new Error(`nothing verifies the command: ${command}`)
    await found[1](parts, service)
  }
}

/** Every request gets the media type that it asks for, JSON unless it says so, with records, a figure or a table. */
async function checkCurl(script: string, service: RunningService): Promise<void> {
  const wanted = [...script.matchAll(/^curl .*$/gm)].map(([line]) => wantedType(line))
  const printed = await service.runShell(script)
  const answers = [...printed.matchAll(ANSWER)].map(([, body = "", type = ""]) => ({ body, type: mediaTypeOf(type) }))
  expect(answers.map(({ type }) => type)).toEqual(wanted)
  for (const { body } of answers) expect(body).toMatch(/"records":\[\{|"verdict":"|"points":\[|^\w+(?:,\w+)+\r?\n\S/)
}

const ANSWER = new RegExp(`([^]*?)\\n${CONTENT_TYPE}(.*)\\n`, "g")
const mediaTypeOf = (contentType: string): string => contentType.split(";")[0] ?? ""
const wantedType = (command: string): string =>
  /Accept: *([\w/+.-]+)/i.exec(command)?.[1] ?? (command.includes("format=csv") ? "text/csv" : "application/json")

/** A line of a crontab: five fields, then a command that fills a file. */
export async function checkCrontab(text: string, service: RunningService): Promise<void> {
  const [, command = ""] = /^(?:[\d*/,-]+ ){5}(.+)$/.exec(text.trim()) ?? []
  expect(command).toContain("curl")
  // cron takes an unescaped percent sign for the end of the line.
  expect(command).not.toMatch(/(?<!\\)%/)
  const file = /"\$HOME\/(.+)"$/.exec(command)?.[1]
  await service.run("bash", ["-ec", `${service.fill(command)}; grep --quiet '"records":\\[{' "$HOME/${file}"`])
}
