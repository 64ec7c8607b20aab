import { logosApi } from '@heterosis/contracts/endpoints/people/organizations';
import { LOGO_BYTES, LOGO_TYPES } from '@heterosis/contracts/people/organizations';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { sayPicture, takePictures } from '../../../platform/http/pictures.ts';
import { changeLogo, readLogo, removeLogo } from './logos.service.ts';

export const logoRoutes: FeatureRoutes = (app, services) => {
  takePictures(app, LOGO_TYPES, LOGO_BYTES);
  return bind(logosApi, {
    changeLogo,
    removeLogo,
    async readLogo(call, input, { reply }) {
      const logo = await readLogo(call, input);
      sayPicture(reply);
      return logo;
    },
  })(app, services);
};
