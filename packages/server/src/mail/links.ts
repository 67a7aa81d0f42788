/** Links carry their token behind the #, which browsers send to no server, so that it is in no log of a proxy. */
export const resetLink = (baseUrl: string, token: string): string => `${baseUrl}/reset#${token}`

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}/invite#${token}`

/** Opens the set-up of an installation without an owner. */
export const setupLink = (baseUrl: string, code: string): string => `${baseUrl}/setup#${code}`
