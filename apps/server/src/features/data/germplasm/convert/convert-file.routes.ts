import { convertFileApi } from '@heterosis/contracts/endpoints/data/convert-file';
import { bind } from '../../../../platform/http/bind.ts';
import * as conversion from './convert-file.service.ts';

export const convertFileRoutes = bind(convertFileApi, conversion);
