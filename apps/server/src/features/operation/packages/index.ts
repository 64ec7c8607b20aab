export { importPackageRegistration } from './import-package.handler.ts';
export { dataPackageRoutes } from './packages.routes.ts';
