import { projectTraitsApi } from '@heterosis/contracts/endpoints/people/project-traits';
import { bind } from '../../../platform/http/bind.ts';
import * as traits from './project-traits.service.ts';

export const projectTraitRoutes = bind(projectTraitsApi, traits);
