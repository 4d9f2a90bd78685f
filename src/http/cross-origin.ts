/** What scripts of applications on other origins may call (contract of `Cors:Origins`), and what they are told. */

/** As the framework's plugin takes it. */
export const crossOrigin = {
  credentials: true,
  methods: ['GET', 'POST'],
  allowedHeaders: ['authorization', 'content-type'],
  exposedHeaders: ['www-authenticate', 'x-trace-id'],
  maxAge: 600,
  strictPreflight: false,
}

/** What the plugin sends to those that name no origin, too. */
export const crossOriginHeaders = {
  vary: 'Origin',
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': crossOrigin.exposedHeaders.join(', '),
}

export const sharedPaths = /^\/(?:connect\/(?:token|revocation)|\.well-known\/[^/?]+|weatherforecast)\/?(?:\?|$)/i
