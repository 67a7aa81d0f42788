/**
 * Builds the published package: `npm run build -w packages/client`, then `npm publish packages/client/dist`.
 * `dist` has a package.json of its own. Inside the workspace `exports` names the TypeScript source, and npm cannot replace
 * `exports` when publishing. The manifest in the source folder is private, so that npm refuses to publish it by mistake.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import manifest from "./package.json" with { type: "json" }

const packageFolder = import.meta.dirname
const outFolder = resolve(process.argv[2] ?? join(packageFolder, "dist"))

const { private: _, scripts: __, ...published } = manifest
const publishedManifest = {
  ...published,
  exports: {
    ".": { types: "./index.d.ts", import: "./index.js" },
    "./figures": { types: "./figures/index.d.ts", import: "./figures/index.js" },
    "./package.json": "./package.json",
  },
  files: ["**/*.js", "**/*.d.ts"],
  // The repository pins the zod it tests with. An application may use any later zod 4.
  dependencies: { zod: `^${manifest.dependencies.zod}` },
}

rmSync(outFolder, { recursive: true, force: true })
mkdirSync(outFolder, { recursive: true })
const typescriptFolder = new URL(".", import.meta.resolve("typescript/package.json"))
const tsc = fileURLToPath(new URL("bin/tsc", typescriptFolder))
const project = join(packageFolder, "tsconfig.build.json")
execFileSync(process.execPath, [tsc, "--project", project, "--outDir", outFolder], { stdio: "inherit" })
for (const file of ["README.md", "LICENSE"]) copyFileSync(join(packageFolder, file), join(outFolder, file))
writeFileSync(join(outFolder, "package.json"), `${JSON.stringify(publishedManifest, null, 2)}\n`)
