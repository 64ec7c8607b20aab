export { readCatalogueOfProject } from './catalogue.queries.ts';
export { convertFileRoutes } from './convert-file.routes.ts';
export { germplasmRoutes } from './germplasm.routes.ts';
export { ofOrganization, ofProject } from './germplasm-access.ts';
export { all, type Condition, type GermplasmScope, inScope } from './germplasm-scope.ts';
export { germplasmUploadRoutes } from './germplasm-uploads.routes.ts';
export { settleUploadRegistration } from './settle-upload.handler.ts';
export { sweepGermplasm } from './sweep-germplasm.ts';
export { type UploadForm, uploadGermplasm } from './uploads.service.ts';
