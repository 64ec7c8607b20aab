export { createDemo, DEMO_EMAIL } from './create-demo.ts';
export { exampleRoutes } from './example.routes.ts';
