export { binRoutes } from './bin.routes.ts';
export { deletedPlaceRoutes } from './deleted-places.routes.ts';
