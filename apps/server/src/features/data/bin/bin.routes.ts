import { binApi } from '@heterosis/contracts/endpoints/data/bin';
import { bind } from '../../../platform/http/bind.ts';
import * as bin from './bin.service.ts';

export const binRoutes = bind(binApi, bin);
