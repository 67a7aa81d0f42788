/** `npm run check`: types, lint, format, what nothing uses, and the import rules of ARCHITECTURE.md. Needs no database, takes seconds. */
import { spawn } from "node:child_process"
import { architectureFaults } from "./check/architecture.ts"
import { googleHealthFieldFaults } from "./check/google-health-fields.ts"

const bin = (name: string): string => new URL(`../node_modules/.bin/${name}`, import.meta.url).pathname

const run = (name: string, args: string[]): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const child = spawn(bin(name), args, { stdio: "inherit" })
    child.on("error", reject)
    child.on("exit", (code) => resolve(code === 0))
  })

const checkArchitecture = async (): Promise<boolean> => {
  const faults = [...(await architectureFaults()), ...(await googleHealthFieldFaults())]
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  return faults.length === 0
}

const results = await Promise.all([
  run("tsc", ["--noEmit", "-p", "tsconfig.json"]),
  // The client is for runtimes that are older than the service's own.
  run("tsc", ["--noEmit", "-p", "packages/client/tsconfig.build.json"]),
  run("biome", ["check", "--error-on-warnings", "."]),
  run("knip", []),
  checkArchitecture(),
])
if (results.includes(false)) process.exit(1)
process.stdout.write("types, lint, format, unused code and architecture: no faults\n")
