export { pedigreeRoutes } from './pedigree.routes.ts';
