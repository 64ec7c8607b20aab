export { readCatalogueOf } from './catalogue.queries.ts';
export { germplasmRoutes } from './germplasm.routes.ts';
export { germplasmUploadRoutes } from './germplasm-uploads.routes.ts';
export { settleUploadRegistration } from './settle-upload.handler.ts';
export { sweepGermplasm } from './sweep-germplasm.ts';
