export { parentageCheckFeature } from './feature.ts';
export { createParentageCheck } from './parentage-checks.service.ts';
