export { configQuery } from './auth.api.ts';
