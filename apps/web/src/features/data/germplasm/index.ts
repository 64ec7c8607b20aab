export { germplasmLink, germplasmListLink } from './germplasm.api.ts';
