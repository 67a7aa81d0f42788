import { realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import { build } from "esbuild"

/**
 * Returns the files that our programs import or require, themselves or through libraries, as paths without symbolic links. Libraries contain far
 * more: builds for browsers, other kinds of module, types. Files that are loaded by a computed name are missing. Of our libraries only pino does
 * that, for log transports, which we do not use.
 */
export async function findLoadedFiles(program: string): Promise<ReadonlySet<string>> {
  const { metafile } = await build({
    entryPoints: [program],
    absWorkingDir: dirname(program),
    write: false,
    metafile: true,
    bundle: true,
    platform: "node",
    format: "esm",
    // As Node.js resolves: `module` and `browser` of a library are for bundlers.
    mainFields: ["main"],
    conditions: [],
    // Node.js loads what is imported, used or not.
    ignoreAnnotations: true,
    treeShaking: false,
    // Libraries try to require what need not be installed, like pg-native.
    logLevel: "error",
  })
  return new Set(await Promise.all(Object.keys(metafile.inputs).map((path) => realpath(join(dirname(program), path)))))
}
