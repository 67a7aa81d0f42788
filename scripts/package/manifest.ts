import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"

const NamesSchema = z.record(z.string(), z.string()).default({})
const ManifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  private: z.boolean().optional(),
  files: z.array(z.string()).optional(),
  os: z.union([z.string(), z.array(z.string())]).optional(),
  dependencies: NamesSchema,
  optionalDependencies: NamesSchema,
  peerDependencies: NamesSchema,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().default(false) })).default({}),
})

/** The parts of a package.json that say what it needs. */
export type Manifest = z.infer<typeof ManifestSchema>

export const readManifest = async (folder: string): Promise<Manifest> =>
  ManifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")))
