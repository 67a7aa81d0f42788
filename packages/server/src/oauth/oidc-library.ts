/*
 * oidc-provider without the warning that it prints on Node.js versions before long-term support: the operator cannot act on it, and the
 * conformance suite passes on this version.
 */
const { console: terminal } = globalThis
const { warn } = terminal
terminal.warn = () => {}
const library = await import("oidc-provider")
terminal.warn = warn

export const { default: Provider, errors, interactionPolicy } = library
