import {
  invitationsApi,
  invitationsOfOrganizationApi,
  invitationsOfProjectApi,
} from '@heterosis/contracts/endpoints/people/invitations';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { KeyRing } from '../auth/index.ts';
import * as invitations from './invitations.service.ts';

/** Invitations received, and those that organizations and projects send. */
export const invitationRoutes = (keys: KeyRing): FeatureRoutes[] => [
  bind(invitationsApi, invitations, { keys }),
  bind(invitationsOfOrganizationApi, invitations),
  bind(invitationsOfProjectApi, invitations),
];
