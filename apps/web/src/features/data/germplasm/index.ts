export { germplasmLink, germplasmListLink, germplasmListQuery } from './germplasm.api.ts';
export { INTERVAL, inInterval } from './passport/estimates.ts';
export { PassportPanel } from './passport/passport-panel.tsx';
