const NAMES: Readonly<Record<string, string>> = { whoop: "WHOOP", google: "Google", apple: "Apple" }

/** A vendor's name as it writes it itself. */
export const providerName = (provider: string): string => NAMES[provider] ?? provider
