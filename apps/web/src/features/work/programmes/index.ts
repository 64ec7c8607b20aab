export { courseOption } from './programme-charts.ts';
