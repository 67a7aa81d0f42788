/*
 * oidc-provider, without the line that it writes to the terminal when it is loaded by a Node.js whose line is not in long-term support yet:
 * the operator cannot do anything about it, and the conformance suite passes here.
 */
const { console: terminal } = globalThis
const { warn } = terminal
terminal.warn = () => {}
const library = await import("oidc-provider")
terminal.warn = warn

export const { default: Provider, errors, interactionPolicy } = library
