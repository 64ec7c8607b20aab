export { germplasmLink, germplasmListLink, germplasmListQuery } from './germplasm.api.ts';
