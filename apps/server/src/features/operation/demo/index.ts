export { createDemo, DEMO_EMAIL } from './create-demo.ts';
