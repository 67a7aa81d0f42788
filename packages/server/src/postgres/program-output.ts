import { randomUUID } from "node:crypto"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { join } from "node:path"

const LONGEST_OUTPUT = 8192

/** An unnamed file for what a program prints: a pipe would break when this process ends. */
export async function openOutput(directory: string): Promise<FileHandle> {
  const path = join(directory, `start-${randomUUID()}.log`)
  const output = await open(path, "wx+", 0o600)
  await unlink(path)
  return output
}

/** The beginning of the output. */
export async function readOutput(output: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await output.read(Buffer.alloc(LONGEST_OUTPUT), 0, LONGEST_OUTPUT, 0)
  return buffer.toString("utf8", 0, bytesRead).trim()
}
