export { brapiRoutes } from './brapi.routes.ts';
export { fileCollectedRegistration } from './collecting/file-collected.handler.ts';
export { crossesPlannedRegistration } from './crossing/crosses-planned.handler.ts';
export { importRegistration, sweepImportTokens } from './importing/import.handler.ts';
export { brapiImportRoutes } from './importing/imports.routes.ts';
export { sweepSearches } from './searches.queries.ts';
export { sweepAnnounced } from './trials/announced.queries.ts';
