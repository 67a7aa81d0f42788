import type { FastifyHelmetOptions } from "@fastify/helmet"

const YEAR_SECONDS = 31_536_000

/** Pages load only our own files, turn no text into code, and cannot be framed. */
export const securityHeaders = (baseUrl: string): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      connectSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
  },
  strictTransportSecurity: baseUrl.startsWith("https:") ? { maxAge: YEAR_SECONDS } : false,
  referrerPolicy: { policy: "no-referrer" },
  xFrameOptions: { action: "deny" },
  // Other sites embed nothing. They read by CORS where that is allowed.
  crossOriginResourcePolicy: { policy: "same-origin" },
})
