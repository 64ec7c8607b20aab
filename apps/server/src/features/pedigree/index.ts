export { pedigreeRoutes } from './pedigree.routes.ts';
export { readStoredPedigree, type StoredPedigree } from './pedigree.service.ts';
