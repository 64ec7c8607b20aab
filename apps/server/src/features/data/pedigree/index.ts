export type { ProgenyRow } from './pedigree.queries.ts';
export { pedigreeRoutes } from './pedigree.routes.ts';
export { listProgeny, readStoredPedigree, type StoredPedigree } from './pedigree.service.ts';
