const NAMES: Readonly<Record<string, string>> = { whoop: "WHOOP", google: "Google", apple: "Apple" }

/** Display name of a vendor. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider
