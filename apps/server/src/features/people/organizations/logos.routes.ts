import { logosApi } from '@heterosis/contracts/endpoints/people/organizations';
import { LOGO_BYTES, LOGO_TYPES } from '@heterosis/contracts/people/organizations';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { changeLogo, readLogo, removeLogo } from './logos.service.ts';

export const logoRoutes: FeatureRoutes = (app, services) => {
  const parser = { parseAs: 'buffer', bodyLimit: LOGO_BYTES } as const;
  app.addContentTypeParser([...LOGO_TYPES], parser, (_request, body, done) => done(null, body));
  return bind(logosApi, {
    changeLogo,
    removeLogo,
    async readLogo(call, input, { reply }) {
      const logo = await readLogo(call, input);
      reply
        // Opened as a page it may do nothing. A changed logo has another address.
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=31536000, immutable');
      return logo;
    },
  })(app, services);
};
