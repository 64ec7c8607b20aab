export { ploidyOf } from '@heterosis/file-formats/genotype/panel/dosages';
export {
  equilibriumInbreeding,
  type PolyploidModel,
  polyploidRelationships,
} from '@heterosis/statgen/pedigree/polyploid-relationships';
