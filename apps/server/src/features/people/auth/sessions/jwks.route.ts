import type { App } from '../../../../platform/http/app.ts';
import type { KeyRing } from './key-ring.ts';

/** Long enough to avoid most requests; a verifier refetches for an unknown `kid` anyway. */
const MAX_AGE_SECONDS = 300;

/** RFC 7517: the public keys for verifying access tokens (audience `heterosis:api`, type `at+jwt`). */
export function jwksRoute(keys: KeyRing): (app: App) => void {
  return (app) => {
    app.get('/.well-known/jwks.json', { config: { guard: 'public' } }, async (_request, reply) =>
      reply
        .type('application/jwk-set+json')
        .header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`)
        .header('access-control-allow-origin', '*')
        .send(JSON.stringify({ keys: await keys.listPublicKeys() })),
    );
  };
}
