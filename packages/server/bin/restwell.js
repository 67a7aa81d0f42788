#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for the rest can still say so.
/** `net.BoundSocket` needs it. */
const REQUIRED = "26.4"
const COMMANDS = {
  start: "../src/commands/start.ts",
  demo: "../src/commands/demo.ts",
  mcp: "../src/commands/mcp.ts",
  "rotate-secret": "../src/commands/rotate-secret.ts",
  reseal: "../src/commands/re-encrypt.ts",
}

const isTooOld = process.versions.node.localeCompare(REQUIRED, "en", { numeric: true }) < 0
const [command = "start", ...rest] = process.argv.slice(2)

if (isTooOld) {
  process.stderr.write(
    `Restwell needs Node.js ${REQUIRED} or newer, this is ${process.versions.node}.\n` +
      "`npm ci` brings one along: start with `npm start` or `npm run demo`, not with `node`.\n",
  )
  process.exit(1)
}
if (!Object.hasOwn(COMMANDS, command)) {
  const known = Object.keys(COMMANDS).join(", ")
  process.stderr.write(`restwell ${command}: there is no such command. There are: ${known}\n`)
  process.exit(2)
}
const { main } = await import(COMMANDS[command])
await main(rest)
