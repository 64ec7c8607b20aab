import { deletedPlacesApi } from '@heterosis/contracts/endpoints/data/deleted-places';
import { bind } from '../../../platform/http/bind.ts';
import * as places from './deleted-places.service.ts';

/** The way back for deleted projects and organizations. */
export const deletedPlaceRoutes = bind(deletedPlacesApi, places);
