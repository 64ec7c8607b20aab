import { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import * as links from './share-links.service.ts';
import * as shared from './shared.service.ts';

/** `kinds` of run, the results of which are shared. */
export const shareLinkRoutes = (kinds: readonly RunKindDefinition[]): FeatureRoutes =>
  bind(shareLinksApi, { ...links, ...shared }, { kinds });
