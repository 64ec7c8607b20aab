export { fieldBookRoutes } from './field-books.routes.ts';
