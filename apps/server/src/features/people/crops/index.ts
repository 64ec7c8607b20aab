export { insertCrop } from './crops.queries.ts';
export { cropRoutes } from './crops.routes.ts';
