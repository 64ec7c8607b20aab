import { cropsApi } from '@heterosis/contracts/endpoints/people/crops';
import { bind } from '../../../platform/http/bind.ts';
import * as crops from './crops.service.ts';

export const cropRoutes = bind(cropsApi, crops);
