import { membersApi } from '@heterosis/contracts/endpoints/people/members';
import { bind } from '../../../platform/http/bind.ts';
import * as members from './members.service.ts';

export const memberRoutes = bind(membersApi, members);
