// Says what to do before `npm ci`. Plain JavaScript, because the machine's own Node.js may be too old for our files.
import { existsSync } from "node:fs"

const isInstalled = existsSync(new URL("../node_modules/.package-lock.json", import.meta.url))
const isTooOld = Number.parseInt(process.versions.node, 10) < 26

if (!isInstalled) refuse("The packages that Restwell needs are not installed in this folder yet. Run `npm ci` first.")
else if (isTooOld)
  refuse("npm has not installed Node.js 26 in this folder. Run `npm ci` again, without --omit=optional.")

function refuse(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
