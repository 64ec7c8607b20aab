export { sweepShareLinks } from './share-links.queries.ts';
export { shareLinkRoutes } from './share-links.routes.ts';
export { revokeRestored } from './share-links.service.ts';
export type { ReadShared } from './shared.service.ts';
