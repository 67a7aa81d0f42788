#!/usr/bin/env node
// Plain JavaScript, so that a Node.js too old for the rest can still say so.
const REQUIRED_MAJOR = 26
const COMMANDS = ["start", "demo"]

const [major] = process.versions.node.split(".")
const [command = "start", ...rest] = process.argv.slice(2)

if (Number(major) < REQUIRED_MAJOR) {
  process.stderr.write(
    `Restwell needs Node.js ${REQUIRED_MAJOR} or newer, this is ${process.versions.node}.\n` +
      "`npm ci` brings one along: start with `npm start` or `npm run demo`, not with `node`.\n",
  )
  process.exit(1)
}
if (!COMMANDS.includes(command)) {
  process.stderr.write(`restwell ${command}: there is no such command. There are: ${COMMANDS.join(", ")}\n`)
  process.exit(2)
}
const { main } = await import(command === "demo" ? "../src/demo/main.ts" : "../src/main.ts")
await main(rest)
