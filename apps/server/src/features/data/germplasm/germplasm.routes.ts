import { germplasmOfOrganizationApi, germplasmOfProjectApi } from '@heterosis/contracts/endpoints/data/germplasm';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import * as changes from './changes.service.ts';
import * as germplasm from './germplasm.service.ts';
import { keepSynonyms } from './keep-synonyms.service.ts';

/** The list of an organization's crops, and that of a project's crop. Uploads have routes of their own. */
export const germplasmRoutes = (kinds: readonly RunKindDefinition[]): FeatureRoutes[] => [
  bind(germplasmOfOrganizationApi, { ...germplasm, ...changes }, { kinds }),
  bind(germplasmOfProjectApi, { ...germplasm, keepSynonyms }, { kinds }),
];
