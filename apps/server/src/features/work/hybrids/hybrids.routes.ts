import { hybridsApi } from '@heterosis/contracts/endpoints/work/hybrids';
import { bind } from '../../../platform/http/bind.ts';
import * as hybrids from './hybrids.service.ts';

export const hybridRoutes = bind(hybridsApi, hybrids);
