import { ownSessionsApi } from '@heterosis/contracts/endpoints/people/own-sessions';
import { bind } from '../../../../platform/http/bind.ts';
import * as emailChange from '../email-change.service.ts';
import * as sessions from './sessions.service.ts';

export const ownSessionRoutes = bind(ownSessionsApi, { ...sessions, ...emailChange });
