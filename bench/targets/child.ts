/** A server of the benchmark in its own process: it receives options and reports its port. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import type { Server } from "node:http"
import { z } from "zod"

const ListeningSchema = z.object({ port: z.number() })

export interface ChildServer extends AsyncDisposable {
  readonly port: number
}

/** @param file a program that calls `serve` */
export async function startChild(file: URL, options: object): Promise<ChildServer> {
  const child = fork(file, { serialization: "advanced", stdio: ["ignore", "ignore", "inherit", "ipc"] })
  child.send(options)
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${file.pathname} ended with ${code}`)
  })
  const [message] = await Promise.race([once(child, "message"), ended])
  // From here on it ends only on request.
  ended.catch(() => {})
  const { port } = ListeningSchema.parse(message)
  return { port, [Symbol.asyncDispose]: () => end(child, "SIGKILL") }
}

/** The side of the server: receives the options, listens, and ends with the benchmark. */
export async function serve<Options>(
  schema: z.ZodType<Options>,
  create: (options: Options) => Promise<Server>,
): Promise<void> {
  process.on("disconnect", () => process.exit())
  const [message] = await once(process, "message")
  const server = await create(schema.parse(message))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  process.send?.({ port: typeof address === "object" && address ? address.port : 0 })
}

/** Resolves when the process is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, "exit")
  child.kill(signal)
  await gone
}
