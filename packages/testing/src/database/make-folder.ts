import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Makes a temporary folder for a DATA_DIR. For root, PostgreSQL runs as another user, who must be able to enter it. */
export async function makeFolder(name: string, within = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(within, `restwell-${name}-`))
  await chmod(folder, 0o755)
  return folder
}
