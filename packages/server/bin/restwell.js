#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that is too old can still run it and say so.
/** `net.BoundSocket` needs it. */
const REQUIRED = "26.4"
// The default would open a debugger to every program of this machine.
process.on("SIGUSR1", () => {})

const isTooOld = process.versions.node.localeCompare(REQUIRED, "en", { numeric: true }) < 0

if (isTooOld) {
  process.stderr.write(
    `Restwell needs Node.js ${REQUIRED} or newer, this is ${process.versions.node}.\n` +
      "`npm ci` installs one: use `npm start` or `npm run demo`, not `node`.\n",
  )
  process.exit(1)
}
// Before everything else, which takes a second to import.
await import("../src/commands/stop-signals.ts")
const { runProgram } = await import("../src/commands/run-program.ts")
await runProgram(process.argv.slice(2))
