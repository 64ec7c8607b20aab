import { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import { MAX_TRAITS_FILE } from '@heterosis/contracts/people/traits';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as traits from './project-traits.service.ts';
import * as files from './traits-file.service.ts';

export const projectTraitRoutes: FeatureRoutes = (app, services) => {
  const parser = { parseAs: 'buffer', bodyLimit: MAX_TRAITS_FILE } as const;
  app.addContentTypeParser('application/octet-stream', parser, (_request, body, done) => done(null, body));
  return bind(projectTraitsApi, { ...traits, ...files })(app, services);
};
