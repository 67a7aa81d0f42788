#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that is too old can still run it and say so.
/** `net.BoundSocket` needs it. */
const REQUIRED = "26.4"
const COMMANDS = {
  start: "../src/commands/start.ts",
  demo: "../src/commands/demo.ts",
  mcp: "../src/commands/mcp.ts",
  import: "../src/commands/import.ts",
  "rotate-secret": "../src/commands/rotate-secret.ts",
  "re-encrypt": "../src/commands/re-encrypt.ts",
}

// The default would open a debugger to every program of this machine.
process.on("SIGUSR1", () => {})

const isTooOld = process.versions.node.localeCompare(REQUIRED, "en", { numeric: true }) < 0
const [command = "start", ...rest] = process.argv.slice(2)

if (isTooOld) {
  process.stderr.write(
    `Restwell needs Node.js ${REQUIRED} or newer, this is ${process.versions.node}.\n` +
      "`npm ci` installs one: use `npm start` or `npm run demo`, not `node`.\n",
  )
  process.exit(1)
}
if (!Object.hasOwn(COMMANDS, command)) {
  const known = Object.keys(COMMANDS).join(", ")
  process.stderr.write(`restwell: unknown command ${command}, use one of ${known}\n`)
  process.exit(2)
}
// Before everything else, which takes a second to import.
await import("../src/commands/stop-signals.ts")
const { main } = await import(COMMANDS[command])
await main(rest)
