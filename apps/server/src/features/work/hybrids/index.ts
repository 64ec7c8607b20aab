export { hybridRoutes } from './hybrids.routes.ts';
export { makeHybridsRegistration } from './make-hybrids.handler.ts';
