import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509"

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }
const DAY_MS = 86_400_000

/** What a TLS server needs, in PEM. */
export interface ServerCertificate {
  readonly key: string
  readonly cert: string
}

export interface CertificateWishes {
  /** @default 127.0.0.1 */
  readonly ip?: string
  /** When it ends, in days from now. @default 60 */
  readonly endsInDays?: number
  /** When it begins, in days from now. @default -30 */
  readonly beginsInDays?: number
  /** Whether the server sends the authority's certificate too. @default false */
  readonly hasChain?: boolean
}

/** An authority that makes certificates for servers. */
export interface Authority {
  /** Its own certificate in PEM. */
  readonly certificate: string
  issue(wishes?: CertificateWishes): Promise<ServerCertificate>
}

const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"])
const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS)

export async function makeAuthority(): Promise<Authority> {
  const keys = await makeKeys()
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: `CN=Authority ${crypto.randomUUID()}`,
    keys,
    notBefore: daysFromNow(-365),
    notAfter: daysFromNow(365),
    signingAlgorithm: ALGORITHM,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    certificate: authority.toString("pem"),
    issue: async (wishes = {}) => {
      const own = await makeKeys()
      const made = await X509CertificateGenerator.create({
        subject: "CN=server",
        issuer: authority.subject,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        ...detailsOf(wishes),
      })
      return serverCertificate(own.privateKey, wishes.hasChain ? [made, authority] : [made])
    },
  }
}

/** A certificate that no authority has signed. */
export async function selfSigned(): Promise<ServerCertificate> {
  const keys = await makeKeys()
  const made = await X509CertificateGenerator.createSelfSigned({ name: "CN=server", keys, ...detailsOf({}) })
  return serverCertificate(keys.privateKey, [made])
}

const detailsOf = ({ ip = "127.0.0.1", endsInDays = 60, beginsInDays = -30 }: CertificateWishes) => ({
  notBefore: daysFromNow(beginsInDays),
  notAfter: daysFromNow(endsInDays),
  signingAlgorithm: ALGORITHM,
  extensions: [new SubjectAlternativeNameExtension([{ type: "ip", value: ip }])],
})

async function serverCertificate(key: CryptoKey, chain: readonly X509Certificate[]): Promise<ServerCertificate> {
  const bytes = Buffer.from(await crypto.subtle.exportKey("pkcs8", key)).toString("base64")
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${bytes}\n-----END PRIVATE KEY-----\n`,
    cert: chain.map((each) => each.toString("pem")).join("\n"),
  }
}
