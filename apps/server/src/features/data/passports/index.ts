export { passportRoutes } from './passports.routes.ts';
