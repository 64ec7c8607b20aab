import { type Endpoints, get } from '@heterosis/contracts/endpoint';
import type { FeatureRoutes } from '../../../../platform/http/app.ts';
import { bind } from '../../../../platform/http/bind.ts';
import type { KeyRing } from './key-ring.ts';

/** Long enough to avoid most requests; a verifier refetches for an unknown `kid` anyway. */
const MAX_AGE_SECONDS = 300;

const jwksApi = {
  readKeys: get('/.well-known/jwks.json', 'public', {
    summary: 'The public keys for verifying access tokens',
    media: ['application/jwk-set+json'],
  }),
} as const satisfies Endpoints;

/** RFC 7517: the public keys for verifying access tokens (audience `heterosis:api`, type `at+jwt`). */
export const jwksRoutes = (keys: KeyRing): FeatureRoutes =>
  bind(jwksApi, {
    async readKeys(_call, _input, { reply }) {
      reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('access-control-allow-origin', '*');
      return { bytes: JSON.stringify({ keys: await keys.listPublicKeys() }) };
    },
  });
