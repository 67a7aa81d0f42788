import type { z } from "zod"
import {
  CancelledSchema,
  type HostContext,
  HostContextSchema,
  InitializedSchema,
  type Message,
  MessageSchema,
  PROTOCOL_VERSION,
  type ToolResult,
  ToolResultSchema,
} from "./host-messages.ts"

/** What the chat that shows this view tells it. */
export interface HostListener {
  /** @param changed only what has changed */
  onContext(changed: HostContext): void
  onInput(): void
  onResult(result: ToolResult): void
  onCancelled(reason: string | undefined): void
  /** The host is about to remove the view. */
  onTeardown(): void
}

export interface Host {
  readonly canOpenLinks: boolean
  /** Asks the host to open an address in the person's browser. */
  openLink(url: string): void
  /** Tells the host the size of the view in CSS pixels. */
  resize(size: { readonly width: number; readonly height: number }): void
}

/** JSON-RPC 2.0, "Response object" */
const METHOD_NOT_FOUND = { code: -32601, message: "Method not found" }

const APP = {
  protocolVersion: PROTOCOL_VERSION,
  appInfo: { name: "restwell", title: "Restwell", version: "1" },
  appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
}

/** Connects to the chat around the view. The host sends nothing before it is told that the view is initialized. */
export async function connectHost(view: Window, listener: HostListener): Promise<Host> {
  const { post, request } = openChannel(view, listener)
  const { hostCapabilities, hostContext } = InitializedSchema.parse(await request("ui/initialize", APP))
  if (hostContext) listener.onContext(hostContext)
  post({ method: "ui/notifications/initialized", params: {} })
  return {
    canOpenLinks: hostCapabilities.openLinks !== undefined,
    // Whether it opened is for the host to say: the person sees its dialog.
    openLink: (url) => void request("ui/open-link", { url }).catch(() => undefined),
    resize: (params) => post({ method: "ui/notifications/size-changed", params }),
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

function openChannel(view: Window, listener: HostListener) {
  const host = view.parent
  const waiting = new Map<Message["id"], Waiting>()
  let lastId = 0
  // The host's origin cannot be known. Messages to it contain nothing private, and those from others are ignored.
  const post = (message: object): void => host.postMessage({ jsonrpc: "2.0", ...message }, "*")
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      post({ id: lastId, method, params })
    })
  view.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    const message = MessageSchema.safeParse(data).data
    if (source !== host || message === undefined) return
    if (message.method === undefined) return answer(waiting, message)
    if (message.id === undefined) return notify(listener, message.method, message.params)
    if (message.method === "ui/resource-teardown") listener.onTeardown()
    const isKnown = message.method === "ping" || message.method === "ui/resource-teardown"
    post({ id: message.id, ...(isKnown ? { result: {} } : { error: METHOD_NOT_FOUND }) })
  })
  return { post, request }
}

function answer(waiting: Map<Message["id"], Waiting>, { id, result, error }: Message): void {
  const request = waiting.get(id)
  waiting.delete(id)
  if (error) request?.reject(new Error(error.message))
  else request?.resolve(result)
}

function notify(listener: HostListener, method: string, params: unknown): void {
  /** A message of another shape than the specification's is not for this view. */
  const given = <Schema extends z.ZodType>(schema: Schema, use: (value: z.infer<Schema>) => void): void => {
    const parsed = schema.safeParse(params)
    if (parsed.success) use(parsed.data)
  }
  if (method === "ui/notifications/tool-input") listener.onInput()
  if (method === "ui/notifications/tool-result") given(ToolResultSchema, listener.onResult)
  if (method === "ui/notifications/tool-cancelled") given(CancelledSchema, ({ reason }) => listener.onCancelled(reason))
  if (method === "ui/notifications/host-context-changed") given(HostContextSchema, listener.onContext)
}
