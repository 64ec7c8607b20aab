import { tableViewsApi } from '@heterosis/contracts/endpoints/people/table-views';
import { bind } from '../../../platform/http/bind.ts';
import * as views from './table-views.service.ts';

export const tableViewRoutes = bind(tableViewsApi, views);
