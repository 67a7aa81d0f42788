import { createContext, useContext } from "react"
import { z } from "zod"

/** Names and shapes of the messages between a chat and this view. @see https://github.com/modelcontextprotocol/ext-apps specification/2026-01-26 */
const PROTOCOL_VERSION = "2026-01-26"

const IdSchema = z.union([z.string(), z.number()])

/** One JSON-RPC message. Others on the same window are not for this view. */
const MessageSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: IdSchema.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
type Message = z.infer<typeof MessageSchema>

/** What the host says of itself. A value of another type than the specification's counts as not sent. */
const HostContextSchema = z.object({
  theme: z.enum(["light", "dark"]).optional().catch(undefined),
  styles: z
    .object({ variables: z.record(z.string(), z.string().optional().catch(undefined)).optional() })
    .optional()
    .catch(undefined),
  safeAreaInsets: z
    .object({ top: z.number(), right: z.number(), bottom: z.number(), left: z.number() })
    .optional()
    .catch(undefined),
})
type HostContext = z.infer<typeof HostContextSchema>

const InitializedSchema = z.object({
  hostCapabilities: z.object({ openLinks: z.looseObject({}).optional() }),
  hostContext: HostContextSchema.optional(),
})

const ToolResultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  _meta: z.record(z.string(), z.unknown()).optional(),
})
export type ToolResult = z.infer<typeof ToolResultSchema>

const CancelledSchema = z.object({ reason: z.string().optional() })

/** What the chat that shows this view sends it. */
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

/** Connects to the chat around the view. The host sends nothing before it is notified that the view is initialized. */
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

/** The chat around the view. Undefined until it has answered. */
export const HostConnection = createContext<Host | undefined>(undefined)

export const useHost = (): Host | undefined => useContext(HostConnection)

/** Takes over the host's theme, style variables and insets. */
export function applyTheme({ documentElement: root, body }: Document, context: HostContext): void {
  if (context.theme) root.dataset["theme"] = context.theme
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (!name.startsWith("--")) continue
    if (value === undefined) root.style.removeProperty(name)
    else root.style.setProperty(name, value)
  }
  const insets = context.safeAreaInsets
  if (insets) body.style.padding = `${insets.top}px ${insets.right}px ${insets.bottom}px ${insets.left}px`
}

/** Tells the host the size of the document whenever it changes. */
export function reportSize({ documentElement }: Document, host: Host): void {
  let last = ""
  new ResizeObserver(() => {
    const { width, height } = documentElement.getBoundingClientRect()
    const size = { width: Math.ceil(width), height: Math.ceil(height) }
    const text = `${size.width} ${size.height}`
    if (text === last) return
    last = text
    host.resize(size)
  }).observe(documentElement)
}
