import { proofsApi, secondFactorApi } from '@heterosis/contracts/endpoints/people/second-factor';
import { bind } from '../../../../platform/http/bind.ts';
import * as proof from './proof.service.ts';
import * as secondFactor from './second-factor.service.ts';

export const proofRoutes = bind(proofsApi, proof);
export const secondFactorRoutes = bind(secondFactorApi, secondFactor);
