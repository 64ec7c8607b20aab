import { searchApi } from '@heterosis/contracts/endpoints/data/search';
import { bind } from '../../../platform/http/bind.ts';
import * as search from './search.service.ts';

export const searchRoutes = bind(searchApi, search);
