/** The script of a page that shows the view as a chat does, with the official host side of the protocol. */
import {
  AppBridge,
  type McpUiHostContext,
  McpUiHostContextSchema,
  McpUiToolResultNotificationSchema,
  PostMessageTransport,
} from "@modelcontextprotocol/ext-apps/app-bridge"

/** What the chat says of itself. */
export interface ChatContext {
  readonly theme?: "light" | "dark"
  readonly styles?: { readonly variables: Readonly<Record<string, string>> }
}

export interface ChatHost {
  /** Opens the view and connects to it. Resolves when the view says that it is initialized. */
  open(address: string, context: ChatContext): Promise<void>
  input(values: Record<string, unknown>): Promise<void>
  result(result: object): Promise<void>
  cancel(reason: string): Promise<void>
  change(context: ChatContext): void
  teardown(): Promise<unknown>
  /** The size that the view sent last. */
  size: { width?: number | undefined; height?: number | undefined } | undefined
  /** How often the view sent its size. */
  sizes: number
  readonly links: string[]
  /** Messages that the official schemas refused. */
  readonly faults: string[]
}

declare global {
  interface Window {
    chatHost: ChatHost
  }
}

/** The official form of a context. */
function officialContext({ theme, styles }: ChatContext): McpUiHostContext {
  const variables = McpUiHostContextSchema.parse({ styles }).styles?.variables
  return { ...(theme && { theme }), ...(variables && { styles: { variables } }) }
}

let bridge: AppBridge | undefined
const connected = (): AppBridge => {
  if (!bridge) throw new Error("open the view first")
  return bridge
}

window.chatHost = {
  size: undefined,
  sizes: 0,
  links: [],
  faults: [],
  async open(address, context) {
    const frame = document.querySelector("iframe")
    if (!frame?.contentWindow) throw new Error("the page has no frame")
    bridge = new AppBridge(
      null,
      { name: "test-chat", version: "1" },
      { openLinks: {} },
      { hostContext: officialContext(context) },
    )
    bridge.onerror = (error) => this.faults.push(error.message)
    bridge.onsizechange = (size) => {
      this.size = size
      this.sizes += 1
      frame.style.height = `${size.height}px`
    }
    bridge.onopenlink = async ({ url }) => {
      this.links.push(url)
      return {}
    }
    const initialized = Promise.withResolvers<void>()
    bridge.oninitialized = () => initialized.resolve()
    await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
    frame.src = address
    await initialized.promise
  },
  input: (values) => connected().sendToolInput({ arguments: values }),
  result: (params) => connected().sendToolResult(McpUiToolResultNotificationSchema.shape.params.parse(params)),
  cancel: (reason) => connected().sendToolCancelled({ reason }),
  change: (context) => connected().setHostContext(officialContext(context)),
  teardown: () => connected().teardownResource({}),
}
