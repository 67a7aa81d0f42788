import { once } from "node:events"
import { readdir, rm } from "node:fs/promises"
import type { Server } from "node:net"
import { join } from "node:path"
import { makeFolder } from "@restwell/testing/database"
import { runCommand } from "@restwell/testing/service"
import { expect, onTestFinished } from "vitest"

export interface Attempt {
  /** @default "start" */
  readonly command?: string
  /** Beside DATA_DIR and any free port. */
  readonly environment?: Readonly<Record<string, string>>
  readonly options?: { readonly uid?: number; readonly gid?: number; readonly cwd?: string }
}

/** A folder for commands that are refused. It is deleted after the test. */
export class RefusedStarts {
  readonly folder: string
  readonly dataDir: string

  private constructor(folder: string) {
    this.folder = folder
    this.dataDir = join(folder, "data")
  }

  static async make(): Promise<RefusedStarts> {
    const folder = await makeFolder("refused")
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return new RefusedStarts(folder)
  }

  /** Expects that a command ends with one plain message, and changes nothing in the folder. Returns the message. */
  async try({ command = "start", environment = {}, options = {} }: Attempt = {}): Promise<string> {
    const before = await this.#files()
    const variables = { PORT: "0", DATA_DIR: this.dataDir, ...environment }
    const { code, errors, output } = await runCommand([command], variables, options)
    expect(errors).toMatch(/^restwell: /)
    expect(errors).not.toMatch(/\n\s+at |node:internal|\bError:|caused by/)
    expect(output).toBe(errors)
    expect(code).toBe(1)
    expect(await this.#files()).toEqual(before)
    return errors
  }

  async #files(): Promise<string[]> {
    return (await readdir(this.folder, { recursive: true })).toSorted()
  }
}

/** Listens on a free port until the test is over. */
export async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === "string") throw new TypeError("it listens on no port")
  return address.port
}
