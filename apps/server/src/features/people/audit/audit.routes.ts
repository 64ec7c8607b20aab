import { auditApi } from '@heterosis/contracts/endpoints/people/audit';
import { bind } from '../../../platform/http/bind.ts';
import * as audit from './audit.service.ts';

export const auditRoutes = bind(auditApi, audit);
