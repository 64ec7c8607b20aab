import { projectMembersApi } from '@heterosis/contracts/endpoints/people/project-members';
import { bind } from '../../../platform/http/bind.ts';
import * as members from './project-members.service.ts';

export const projectMemberRoutes = bind(projectMembersApi, members);
