import { shareLinksApi } from '@heterosis/contracts/endpoints/people/share-links';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import * as links from './share-links.service.ts';
import * as shared from './shared.service.ts';

export const shareLinkRoutes = (readShared: shared.ReadShared): FeatureRoutes =>
  bind(shareLinksApi, { ...links, ...shared }, { readShared });
