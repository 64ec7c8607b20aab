export { gwasRoutes } from './gwas.routes.ts';
export { createGwas, gwasOfFiles, gwasRuns } from './gwas.service.ts';
export { gwasJobRegistrations } from './run-gwas.handler.ts';
