/** A real Chromium for tests, on a machine that has nothing but what npm installed. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Browser, chromium, type LaunchOptions } from "playwright-core"

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** Inside the package, so that a newer version of it starts without the old one's files. */
const UNPACKED_FOLDER = fileURLToPath(new URL("../unpacked", import.meta.resolve("@sparticuz/chromium")))

/** The package's own list of font folders names places on AWS only. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`

/**
 * Starts a headless Chromium with an empty profile of its own; closing the browser removes the profile.
 * It is the one `CHROMIUM_PATH` names, else the one of the npm package, which is for Linux on x64 only.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env["CHROMIUM_PATH"]
  const which = executablePath ? { executablePath } : await unpackedChromium()
  return chromium.launch({ ...which, headless: true, args: ARGUMENTS })
}

async function unpackedChromium(): Promise<Pick<LaunchOptions, "executablePath" | "env">> {
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error("set CHROMIUM_PATH to a Chromium or Chrome: npm has none for this machine")
  }
  if (!existsSync(UNPACKED_FOLDER)) await unpack()
  return {
    executablePath: join(UNPACKED_FOLDER, "chromium"),
    env: {
      ...process.env,
      // A bare Debian or container has neither NSS nor a font; the package brings both.
      LD_LIBRARY_PATH: join(UNPACKED_FOLDER, "al2023", "lib"),
      FONTCONFIG_PATH: join(UNPACKED_FOLDER, "fonts"),
    },
  }
}

/** Unpacks beside the final folder and renames, so that of two test runs at once neither sees half of it. */
async function unpack(): Promise<void> {
  const staging = await mkdtemp(`${UNPACKED_FOLDER}-`)
  const program = fileURLToPath(new URL("unpack-chromium.ts", import.meta.url))
  // The package takes the folder from TMPDIR, and adds its libraries only where it believes to be on AWS.
  const env = { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" }
  try {
    await promisify(execFile)(process.execPath, [program], { env })
    await writeFile(join(staging, "fonts", "fonts.conf"), FONTS_CONF)
    await rename(staging, UNPACKED_FOLDER)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!existsSync(UNPACKED_FOLDER)) throw error
  }
}
