export { germplasmLink, germplasmListLink, germplasmListQuery } from './germplasm.api.ts';
export { PassportPanel } from './passport/passport-panel.tsx';
