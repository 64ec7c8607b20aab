export { gwasRoutes } from './gwas.routes.ts';
export { createGwas } from './gwas.service.ts';
export { gwasDependants } from './gwas-dependants.ts';
export { gwasJobRegistrations } from './run-gwas.handler.ts';
