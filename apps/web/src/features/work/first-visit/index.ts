export { FirstVisit } from './first-visit.tsx';
