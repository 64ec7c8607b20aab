import { listsApi } from '@heterosis/contracts/endpoints/data/lists';
import { bind } from '../../../platform/http/bind.ts';
import * as lists from './lists.service.ts';

export const listRoutes = bind(listsApi, lists);
