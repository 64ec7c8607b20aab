export { gwas } from './gwas.kind.ts';
export { gwasRoutes } from './gwas.routes.ts';
export { createGwas } from './gwas.service.ts';
export { gwasJobRegistrations } from './run-gwas.handler.ts';
